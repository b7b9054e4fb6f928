import { expect, it } from 'vitest'
import { costText } from '../../parts/number-text.ts'
import { firstThen } from '../first-then.rules.ts'
import {
  agentSearchOf,
  capEffect,
  centsOf,
  decidesIn,
  inOrderOfState,
  microsOf,
  nextMonthStart,
  spentPart,
  stateOf,
  timeLeft,
} from './agent.rules.ts'

it('reads the address, and ignores what is no state of an open agent', () => {
  expect(agentSearchOf({ status: 'ACTIVE', open: 'x', other: 1 })).toEqual({ status: 'ACTIVE', open: 'x' })
  expect(agentSearchOf({ status: 'REJECTED', open: 3 })).toEqual({})
})

it('tells pauses and rejections by their reasons', () => {
  expect(stateOf({ status: 'PAUSED', statusReason: 'BUDGET' })).toBe('PAUSED_BUDGET')
  expect(stateOf({ status: 'PAUSED', statusReason: 'MANUAL' })).toBe('PAUSED')
  expect(stateOf({ status: 'REJECTED', statusReason: 'EXPIRED' })).toBe('EXPIRED')
  expect(stateOf({ status: 'ACTIVE', statusReason: null })).toBe('ACTIVE')
})

it('a manager of an active channel decides with the permission', () => {
  const caller = { isAdministrator: false, permissions: ['CHAT_APPLICATIONS_MANAGE' as const] }
  const channel = { type: 'CHANNEL' as const, role: 'ADMIN' as const, isArchived: false }
  expect(decidesIn(caller, channel)).toBe(true)
  expect(decidesIn(caller, { ...channel, isArchived: true })).toBe(false)
  expect(decidesIn(caller, { ...channel, role: 'MEMBER' })).toBe(false)
  expect(decidesIn({ ...caller, permissions: [] }, channel)).toBe(false)
})

it('counts the days of a proposal, and the hours of its last ones', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  expect(timeLeft('2026-12-07T11:59:00Z', now)).toEqual({ days: 14, hours: 336, isSoon: false })
  expect(timeLeft('2026-11-24T09:10:00Z', now)).toEqual({ days: 0, hours: 22, isSoon: true })
  expect(timeLeft('2026-11-20T00:00:00Z', now)).toEqual({ days: 0, hours: 0, isSoon: true })
})

it('lists those that wait first, and each once', () => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(firstThen([b], [a, b, c])).toEqual([b, a, c])
})

it('lists the agents of a channel by what they need, and apart those that ended', () => {
  const agents = (['ACTIVE', 'REJECTED', 'PAUSED', 'PENDING_APPROVAL'] as const).map(status => ({ status }))
  expect(inOrderOfState(agents)).toEqual({
    open: [{ status: 'PENDING_APPROVAL' }, { status: 'PAUSED' }, { status: 'ACTIVE' }],
    ended: [{ status: 'REJECTED' }],
  })
})

it('says what another cap does to the agents (AGT-9)', () => {
  const exceeded = { capMicros: 10, spentMicros: 12 }
  expect(capEffect(exceeded, 12)).toBe('resumes')
  expect(capEffect(exceeded, null)).toBe('resumes')
  expect(capEffect(exceeded, 11)).toBe('staysPaused')
  const within = { capMicros: null, spentMicros: 12 }
  expect(capEffect(within, 11)).toBe('pauses')
  expect(capEffect(within, 12)).toBe('none')
})

it('the month ends in UTC, and its spending is a part of the cap', () => {
  expect(nextMonthStart('2026-11')).toBe('2026-12-01T00:00:00.000Z')
  expect(nextMonthStart('2026-12')).toBe('2027-01-01T00:00:00.000Z')
  expect(spentPart({ capMicros: 20, spentMicros: 5 })).toBe(0.25)
  expect(spentPart({ capMicros: 20, spentMicros: 50 })).toBe(1)
  expect(spentPart({ capMicros: 0, spentMicros: 0 })).toBe(0)
  expect(spentPart({ capMicros: null, spentMicros: 5 })).toBe(0)
})

it('writes costs', () => {
  expect(costText(18_200_000, 'es')).toBe('18,20')
  expect(costText(1_234_567_890_000, 'en')).toBe('1,234,567.89')
  expect(costText(41_234, 'es')).toBe('0,0412')
  expect(costText(7, 'en')).toBe('0.000007')
  expect([microsOf(2_050), centsOf(20_500_000)]).toEqual([20_500_000, 2_050])
})
