import { expect, it } from 'vitest'
import { capabilities, features, modules, permissions, rolePermissions } from '#contract/permissions.ts'
import type { Caller } from '../data/may.ts'
import { allDestinations, navigation, shownDestinations } from './navigation.ts'

const all = navigation.flatMap(group => group.destinations)
const administrator = {
  isOperator: false,
  isAdministrator: true,
  modules: [...modules],
  capabilities: [...capabilities],
  features: [...features],
  permissions: [...permissions],
} as Partial<Caller> as Caller
const callerWith = (part: Partial<Caller>): Caller => ({ ...administrator, ...part })
const idsFor = (part: Partial<Caller>) =>
  shownDestinations(all, callerWith(part)).map(({ id, lockedUntil }) =>
    lockedUntil ? `${id} (${lockedUntil})` : id,
  )

it('shows what the person may do, and the operator’s part to operators alone', () => {
  expect(idsFor({})).toEqual(all.map(({ id }) => id).filter(id => id !== 'operator'))
  expect(idsFor({ isOperator: true })).toContain('operator')
  const member = idsFor({ permissions: rolePermissions.MEMBER })
  expect(member).toContain('leads')
  expect(member).not.toContain('invoices')
  expect(member).not.toContain('applications')
  expect(idsFor({})).toContain('governed-channels')
  expect(idsFor({ isAdministrator: false })).not.toContain('governed-channels')
})

it('hides what the plan lacks, and shows a lock to those who manage the organization', () => {
  const team = { modules: ['studio', 'integrations', 'crm'], capabilities: [] } satisfies Partial<Caller>
  expect(idsFor(team)).toEqual(expect.arrayContaining(['leads (BUSINESS)', 'invoices (BUSINESS)', 'clients']))
  const member = idsFor({ ...team, permissions: rolePermissions.MEMBER })
  expect(member).toContain('clients')
  expect(member.filter(id => id.startsWith('leads'))).toEqual([])
})

it('shows of the settings only the pages that the person may use', () => {
  const pagesFor = (part: Partial<Caller>) =>
    shownDestinations(all, callerWith(part)).flatMap(({ pages = [] }) => pages.map(({ id }) => id))
  expect(pagesFor({})).toContain('settings-invitations')
  const ofMember = pagesFor({ permissions: rolePermissions.MEMBER })
  expect(ofMember).toContain('settings-members')
  expect(ofMember).not.toContain('settings-invitations')
})

it('gives each entry one id, one route and one key', () => {
  for (const key of ['id', 'route', 'shortcut'] as const) {
    const values = allDestinations.map(entry => entry[key]).filter(value => value !== undefined)
    expect(new Set(values).size).toBe(values.length)
  }
})
