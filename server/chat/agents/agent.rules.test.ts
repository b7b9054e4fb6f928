import { expect, it } from 'vitest'
import type { AgentReason, AgentStatus } from '#contract/chat/agents.ts'
import { Refusal } from '#platform/fail.ts'
import { defined } from '#tests/support/elements.ts'
import { type AgentTransition, isTimeZone, nextState, parseSchedule, parseTasks } from './agent.rules.ts'

it.each([
  ['* * * * *', '* * * * *'],
  ['0 9 * * 1-5', '0 9 * * 1-5'],
  ['  */15   0-6,12 1,15 jan-mar mon ', '*/15 0-6,12 1,15 JAN-MAR MON'],
  ['0 0 * * 7', '0 0 * * 7'],
  ['0 0 29 2 *', '0 0 29 2 *'],
  ['0-59/7 * * * *', '0-59/7 * * * *'],
])('%j is a valid schedule', (text, normalized) => {
  expect(parseSchedule(text)).toBe(normalized)
})

it.each([
  '',
  '* * * *',
  '* * * * * *',
  '0 * * * * * 2026',
  '@daily',
  '2026-11-21T00:00:00',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * * 8',
  '-1 * * * *',
  '5-1 * * * *',
  '*/0 * * * *',
  '*/100 * * * *',
  '5/10 * * * *',
  '1,,2 * * * *',
  '1-5-7 * * * *',
  '0 0 L * *',
  '0 0 15W * *',
  '0 0 * * 5#2',
  '0 0 * * 5L',
  '? ? * * *',
  '0 0 1 * +MON',
  'MON * * * *',
  // days that never occur
  '0 0 31 2 *',
  '0 0 30 FEB *',
  '0 0 31 4,6,9,11 *',
])('%j is not a valid schedule', text => {
  expect(parseSchedule(text)).toBeUndefined()
})

it.each([
  ...(['Europe/Madrid', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Kolkata'] as const).map(
    name => [name, true] as const,
  ),
  ...(['', '+01:00', 'Madrid', 'Europe/Nowhere', 'Europe/Madrid ', 'local'] as const).map(
    name => [name, false] as const,
  ),
])('time zone %j: %s', (name, is) => {
  expect(isTimeZone(name)).toBe(is)
})

it('reports every invalid field of every task', () => {
  const good = { name: ' a ', schedule: '0 0 * * sun', timeZone: 'UTC' }
  expect(parseTasks([good])).toEqual([{ name: 'a', schedule: '0 0 * * SUN', timeZone: 'UTC' }])
  const refused = () => parseTasks([good, { ...good, schedule: 'x' }, { ...good, timeZone: 'x' }])
  expect(refused).toThrow(Refusal)
  try {
    refused()
  } catch (error) {
    const { code, extra } = error as Refusal
    expect(code).toBe('VALIDATION_ERROR')
    expect(defined(extra.details).map(({ path }) => path)).toEqual(['tasks.1.schedule', 'tasks.2.timeZone'])
  }
})

const states: Record<string, [AgentStatus, AgentReason | null, isOverBudget: boolean]> = {
  proposed: ['PENDING_APPROVAL', null, false],
  'proposed, over budget': ['PENDING_APPROVAL', null, true],
  active: ['ACTIVE', null, false],
  'active, over budget': ['PAUSED', 'BUDGET', true],
  paused: ['PAUSED', 'MANUAL', false],
  'paused, over budget': ['PAUSED', 'MANUAL', true],
  rejected: ['REJECTED', 'REJECTED', false],
  expired: ['REJECTED', 'EXPIRED', false],
  'expired, over budget': ['REJECTED', 'EXPIRED', true],
  withdrawn: ['WITHDRAWN', null, false],
}
const outcomes: Record<
  keyof typeof states,
  [approve: string, reject: string, pause: string, resume: string]
> = {
  proposed: ['ACTIVE', 'REJECTED', 'AGENT_NOT_ACTIVE', 'AGENT_NOT_PAUSED'],
  'proposed, over budget': ['ACTIVE', 'REJECTED', 'AGENT_NOT_ACTIVE', 'AGENT_NOT_PAUSED'],
  active: ['AGENT_NOT_PENDING', 'AGENT_NOT_PENDING', 'PAUSED', 'AGENT_NOT_PAUSED'],
  'active, over budget': ['AGENT_NOT_PENDING', 'AGENT_NOT_PENDING', 'PAUSED', 'AGENT_BUDGET_EXCEEDED'],
  paused: ['AGENT_NOT_PENDING', 'AGENT_NOT_PENDING', 'AGENT_NOT_ACTIVE', 'ACTIVE'],
  'paused, over budget': [
    'AGENT_NOT_PENDING',
    'AGENT_NOT_PENDING',
    'AGENT_NOT_ACTIVE',
    'AGENT_BUDGET_EXCEEDED',
  ],
  rejected: ['AGENT_NOT_PENDING', 'AGENT_NOT_PENDING', 'AGENT_NOT_ACTIVE', 'AGENT_NOT_PAUSED'],
  expired: ['AGENT_NOT_PENDING', 'AGENT_NOT_PENDING', 'AGENT_NOT_ACTIVE', 'AGENT_NOT_PAUSED'],
  'expired, over budget': ['AGENT_NOT_PENDING', 'AGENT_NOT_PENDING', 'AGENT_NOT_ACTIVE', 'AGENT_NOT_PAUSED'],
  withdrawn: ['AGENT_NOT_PENDING', 'AGENT_NOT_PENDING', 'AGENT_NOT_ACTIVE', 'AGENT_NOT_PAUSED'],
}

it.each(Object.keys(states))('transitions from %s', state => {
  const [status, status_reason, is_over_budget] = defined(states[state])
  const outcome = (transition: AgentTransition) => {
    try {
      return nextState({ status, status_reason, is_over_budget }, transition).status
    } catch (error) {
      return (error as Refusal).code
    }
  }
  expect((['approve', 'reject', 'pause', 'resume'] as const).map(outcome)).toEqual(outcomes[state])
})
