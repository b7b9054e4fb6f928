import { Cron } from 'croner'
import type { AgentReason, AgentStatus } from '#contract/chat/agents.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { fail } from '#platform/fail.ts'

/** What a state is made of, as it is read; see AgentRow. */
export type AgentState = {
  status: AgentStatus
  status_reason: AgentReason | null
  is_over_budget: boolean
}
/** What is written of a state. That an agent is held by its budget, or a proposal over, is told by reading alone. */
export type StoredAgentState = { status: AgentStatus; reason: Exclude<AgentReason, 'BUDGET'> | null }

type Transition = StoredAgentState & { from: readonly AgentStatus[]; refusal: ErrorCode }

/** The states of AGT-3. A move treats PAUSED by BUDGET as ACTIVE, because the budget comes and goes by itself. */
const transitions = {
  approve: { from: ['PENDING_APPROVAL'], status: 'ACTIVE', reason: null, refusal: 'AGENT_NOT_PENDING' },
  reject: {
    from: ['PENDING_APPROVAL'],
    status: 'REJECTED',
    reason: 'REJECTED',
    refusal: 'AGENT_NOT_PENDING',
  },
  pause: { from: ['ACTIVE'], status: 'PAUSED', reason: 'MANUAL', refusal: 'AGENT_NOT_ACTIVE' },
  resume: { from: ['PAUSED'], status: 'ACTIVE', reason: null, refusal: 'AGENT_NOT_PAUSED' },
} as const satisfies Record<string, Transition>
export type AgentTransition = keyof typeof transitions

/** What is written when an agent is moved. Refuses with the code of the move, or AGENT_BUDGET_EXCEEDED. */
export function nextState(agent: AgentState, transition: AgentTransition): StoredAgentState {
  const { from, status, reason, refusal }: Transition = transitions[transition]
  if (transition === 'resume' && agent.status === 'PAUSED' && agent.is_over_budget)
    fail('AGENT_BUDGET_EXCEEDED')
  const current = agent.status_reason === 'BUDGET' ? 'ACTIVE' : agent.status
  return from.includes(current) ? { status, reason } : fail(refusal)
}

/** True when nothing can become of the agent any more. */
export function hasEnded({ status }: AgentState): boolean {
  return status === 'REJECTED' || status === 'WITHDRAWN'
}

/** Refuses AGENT_NOT_ACTIVE unless the agent may be at work now. */
export function assertActive({ status }: AgentState): void {
  if (status !== 'ACTIVE') fail('AGENT_NOT_ACTIVE')
}

const days = 'SUN|MON|TUE|WED|THU|FRI|SAT'
const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
// no signs of other dialects: L, W, #, ?, @daily, seconds
const fiveFields = new RegExp(
  `^[\\d*,/-]+ [\\d*,/-]+ [\\d*,/-]+ (?:[\\d*,/-]|${months})+ (?:[\\d*,/-]|${days})+$`,
)
const zoneName = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/

/**
 * A schedule as it is kept, its five fields in capitals with one space between them; undefined when it is none, or
 * one that never comes about, such as 30 February.
 */
export function parseSchedule(text: string): string | undefined {
  const schedule = text.trim().split(/\s+/).join(' ').toUpperCase()
  if (!fiveFields.test(schedule)) return undefined
  try {
    const cron = new Cron(schedule, { mode: '5-part', timezone: 'UTC', paused: true })
    return cron.nextRun() ? schedule : undefined
  } catch {
    return undefined
  }
}

/** True for a name of the IANA time zone database, such as `Europe/Madrid`; not for an offset. */
export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export type AgentTaskInput = { name: string; schedule: string; timeZone: string }

/** Tasks as they are kept. Refuses VALIDATION_ERROR at each schedule and time zone that is none. */
export function parseTasks(tasks: readonly AgentTaskInput[]): AgentTaskInput[] {
  const details: { path: string; code: string; message: string }[] = []
  const parsed = tasks.map((task, at) => {
    const schedule = parseSchedule(task.schedule)
    const addDetail = (field: string, message: string) =>
      details.push({ path: `tasks.${at}.${field}`, code: 'format', message })
    if (schedule === undefined) addDetail('schedule', 'must be five fields of cron that come about sometimes')
    if (!isTimeZone(task.timeZone)) addDetail('timeZone', 'must be a time zone of IANA')
    return { name: task.name.trim(), schedule: schedule ?? '', timeZone: task.timeZone }
  })
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
  return parsed
}
