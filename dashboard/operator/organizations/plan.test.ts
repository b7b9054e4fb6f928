import { expect, it } from 'vitest'
import { capabilities, modules, type Plan, plans, type Scope } from '#contract/permissions.ts'
import {
  differenceOf,
  exceptionOf,
  isSameChoice,
  type PlanChoice,
  partsOf,
  planParts,
  smallestPlanOf,
  usersOf,
  withException,
} from './plan.rules.ts'

const choice = (plan: Plan, exceptions: Partial<PlanChoice> = {}): PlanChoice => ({
  plan,
  modulesAdded: [],
  modulesRemoved: [],
  capabilitiesAdded: [],
  capabilitiesRemoved: [],
  ...exceptions,
})

it('knows every module and capability of the plans', () => {
  expect([...planParts].sort()).toEqual([...modules, ...capabilities].sort())
  expect(planParts.map(smallestPlanOf)).toEqual([
    'FREE',
    'TEAM',
    'TEAM',
    'BUSINESS',
    'BUSINESS',
    'ENTERPRISE',
    'ENTERPRISE',
  ])
})

it('says what a smaller plan takes away and a larger one brings', () => {
  expect(differenceOf(choice('BUSINESS'), choice('TEAM'))).toEqual({
    lost: ['crm.leads', 'finance'],
    gained: [],
  })
  expect(differenceOf(choice('FREE'), choice('ENTERPRISE')).gained).toEqual(planParts.slice(1))
  for (const plan of plans) expect(differenceOf(choice(plan), choice(plan))).toEqual({ lost: [], gained: [] })
})

it('counts exceptions: what was added stays in a smaller plan, and a removal is stronger (PLN-2)', () => {
  const added = choice('BUSINESS', { modulesAdded: ['finance'] })
  expect(differenceOf(added, { ...added, plan: 'TEAM' }).lost).toEqual(['crm.leads'])
  const both = choice('TEAM', { modulesAdded: ['crm'], modulesRemoved: ['crm'] })
  expect(exceptionOf(both, 'crm')).toBe('removed')
  expect(partsOf(both)).toEqual(['studio', 'integrations'])
})

it('changes one exception and leaves the others', () => {
  const first = choice('TEAM', { modulesRemoved: ['studio'] })
  const second = withException(first, 'crm.leads', 'added')
  expect(second).toEqual({ ...first, capabilitiesAdded: ['crm.leads'] })
  expect(withException(second, 'crm.leads', 'removed')).toMatchObject({
    capabilitiesAdded: [],
    capabilitiesRemoved: ['crm.leads'],
  })
  expect(isSameChoice(withException(second, 'crm.leads', 'plan'), first)).toBe(true)
  expect(isSameChoice(second, first)).toBe(false)
})

it('finds the active applications that use a part', () => {
  const application = (id: string, scopes: Scope[], status = 'ACTIVE') => ({ id, scopes, status })
  const all = [
    application('leads', ['crm:leads:read']),
    application('shop', ['billing:charge']),
    application('invoices', ['crm:invoices:read']),
    application('off', ['crm:leads:read'], 'DISABLED'),
    application('idle', []),
  ]
  const idsOf = (...[part]: [Parameters<typeof usersOf>[0]]) => usersOf(part, all).map(({ id }) => id)
  expect(idsOf('crm.leads')).toEqual(['leads'])
  expect(idsOf('finance')).toEqual(['shop', 'invoices'])
  expect(idsOf('finance.direct_debit')).toEqual(['shop'])
  expect(idsOf('integrations')).toEqual(['leads', 'shop', 'invoices', 'idle'])
  expect(idsOf('studio')).toEqual([])
})
