import { Cron } from 'croner'
import type { AgentReason, AgentStatus } from '#contract/chat/agents.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { fail } from '#platform/fail.ts'

/** The state as it is read; see AgentRow. */
export type AgentState = {
  status: AgentStatus
  status_reason: AgentReason | null
  is_over_budget: boolean
}
/** The state as it is stored. Pauses by budget and expired proposals are computed when the agent is read. */
export type StoredAgentState = { status: AgentStatus; reason: Exclude<AgentReason, 'BUDGET'> | null }

type Transition = StoredAgentState & { from: readonly AgentStatus[]; refusal: ErrorCode }

/** The states of AGT-3. PAUSED with the reason BUDGET counts as ACTIVE, because the budget changes without a transition. */
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

/** The state after a transition. Refuses with the code of the transition, or AGENT_BUDGET_EXCEEDED. */
export function nextState(agent: AgentState, transition: AgentTransition): StoredAgentState {
  const { from, status, reason, refusal }: Transition = transitions[transition]
  if (transition === 'resume' && agent.status === 'PAUSED' && agent.is_over_budget)
    fail('AGENT_BUDGET_EXCEEDED')
  const current = agent.status_reason === 'BUDGET' ? 'ACTIVE' : agent.status
  return from.includes(current) ? { status, reason } : fail(refusal)
}

/** True in a terminal state. */
export function hasEnded({ status }: AgentState): boolean {
  return status === 'REJECTED' || status === 'WITHDRAWN'
}

/** Refuses AGENT_NOT_ACTIVE. */
export function assertActive({ status }: AgentState): void {
  if (status !== 'ACTIVE') fail('AGENT_NOT_ACTIVE')
}

const days = 'SUN|MON|TUE|WED|THU|FRI|SAT'
const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC'
// excludes extensions of other cron dialects: L, W, #, ?, @daily, seconds
const fiveFields = new RegExp(
  `^[\\d*,/-]+ [\\d*,/-]+ [\\d*,/-]+ (?:[\\d*,/-]|${months})+ (?:[\\d*,/-]|${days})+$`,
)
const zoneName = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/

/**
 * Normalizes a schedule to five upper-case fields separated by one space. Undefined if it is not valid or never occurs,
 * such as 30 February.
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

/** True for an IANA time zone name such as `Europe/Madrid`, false for an offset. */
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

/** Normalizes tasks. Refuses VALIDATION_ERROR with a detail for each invalid schedule and time zone. */
export function parseTasks(tasks: readonly AgentTaskInput[]): AgentTaskInput[] {
  const details: { path: string; code: string; message: string }[] = []
  const parsed = tasks.map((task, at) => {
    const schedule = parseSchedule(task.schedule)
    const addDetail = (field: string, message: string) =>
      details.push({ path: `tasks.${at}.${field}`, code: 'format', message })
    if (schedule === undefined)
      addDetail('schedule', 'must be a cron expression with five fields that occurs at least once')
    if (!isTimeZone(task.timeZone)) addDetail('timeZone', 'must be an IANA time zone name')
    return { name: task.name.trim(), schedule: schedule ?? '', timeZone: task.timeZone }
  })
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
  return parsed
}
