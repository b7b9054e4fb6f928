import { expect, it } from 'vitest'
import { grantEvents, type PastGrant } from './history.rules.ts'
import { abilitiesOf, examplesOf, hasLostCapability, isRepairedByCaller } from './sight.rules.ts'

const both = ['Crear y organizar canales', 'Gestionar miembros'] as const
const answers = (...given: Parameters<typeof abilitiesOf>) =>
  Object.fromEntries(abilitiesOf(...given).map(({ id, answer, reason }) => [id, reason ?? answer]))

it('an application in the channel does what its scopes and its grant allow, and never sees internal messages', () => {
  const grant = { capabilities: [...both], effectiveCapabilities: [both[1]], isEffective: true }
  expect(answers(grant, ['chat:messages:view', 'chat:members:manage', 'chat:channels:manage'])).toEqual({
    readsVisible: 'yes',
    readsInternal: 'never',
    readsFiles: 'never',
    receives: 'scope',
    writes: 'scope',
    proposesAgents: 'scope',
    organizes: 'grantor',
    managesMembers: 'yes',
  })
  expect(answers(grant, undefined)).toMatchObject({ readsVisible: 'depends', readsInternal: 'never' })
})

it('an application that is not in the channel only uses the capabilities of its grant', () => {
  const grant = { capabilities: [both[0]], effectiveCapabilities: [both[0]], isEffective: false }
  expect(answers(grant, ['chat:messages:view', 'chat:channels:manage'])).toMatchObject({
    readsVisible: 'notIn',
    writes: 'notIn',
    organizes: 'yes',
    managesMembers: 'grant',
  })
})

it('the examples are the newest messages that were not deleted', () => {
  const message = (
    id: string,
    visibility: 'VISIBLE' | 'INTERNAL' | 'PRIVATE',
    content: string | null = 'Text',
  ) => ({
    id,
    visibility,
    content,
  })
  const messages = [
    message('5', 'VISIBLE', null),
    message('4', 'VISIBLE'),
    message('3', 'PRIVATE'),
    message('2', 'INTERNAL'),
    message('1', 'VISIBLE'),
  ]
  expect(examplesOf(messages)).toMatchObject({ visible: { id: '4' }, hidden: { id: '3' } })
  expect(examplesOf([])).toEqual({ visible: undefined, hidden: undefined })
})

it('a manager repairs by their own name what the grantor has lost', () => {
  const whole = { capabilities: [...both], effectiveCapabilities: [...both] }
  const isRepaired = (obstacle: Parameters<typeof isRepairedByCaller>[0]['obstacle']) =>
    isRepairedByCaller({ ...whole, obstacle })
  expect(isRepaired('GRANTOR_LEFT')).toBe(true)
  expect(isRepaired('APPLICATION_DISABLED')).toBe(false)
  expect(isRepaired('NOT_A_MEMBER')).toBe(false)
  expect(isRepaired(null)).toBe(false)
  expect(hasLostCapability({ ...whole, effectiveCapabilities: [] })).toBe(true)
})

it('a change is one event, and a revocation without a following grant another', () => {
  const grant = (id: string, grantedAt: string, revokedAt: string | null): PastGrant => ({
    id,
    application: { id: 'app', slug: 'desk', name: 'Desk' },
    capabilities: [],
    isMember: true,
    grantedBy: { id: 'a', displayName: 'Ada' },
    grantedAt,
    revokedBy: revokedAt === null ? null : { id: 'b', displayName: 'Bo' },
    revokedAt,
  })
  const grants = [
    grant('3', '2026-03-01', null),
    grant('2', '2026-02-01', '2026-02-15'),
    grant('1', '2026-01-01', '2026-02-01'),
  ]
  expect(grantEvents(grants, true).map(({ kind, at, byName }) => [kind, at, byName])).toEqual([
    ['given', '2026-03-01', 'Ada'],
    ['revoked', '2026-02-15', 'Bo'],
    ['changed', '2026-02-01', 'Ada'],
    ['given', '2026-01-01', 'Ada'],
  ])
  // an older page may say what the revocation before its first event was
  expect(grantEvents(grants.slice(0, 2), false).map(({ kind }) => kind)).toEqual([
    'given',
    'revoked',
    'given',
  ])
})
