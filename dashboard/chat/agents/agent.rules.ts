import {
  type Agent,
  type AgentBudget,
  type OpenAgentStatus,
  openAgentStatuses,
} from '#contract/chat/agents.ts'
import type { Caller } from '../../data/may.ts'
import { type Channel, managesChannel } from '../channel.rules.ts'

/** The state of the list in the address. */
export type AgentSearch = {
  status?: OpenAgentStatus
  /** The agent whose details are open. */
  open?: string
}

export function agentSearchOf(given: Record<string, unknown>): AgentSearch {
  const status = openAgentStatuses.find(one => one === given.status)
  return {
    ...(status && { status }),
    ...(typeof given.open === 'string' && { open: given.open }),
  }
}

/** The state of an agent with its reason, which decides its words and its icon. */
export type AgentState =
  | 'PENDING_APPROVAL'
  | 'ACTIVE'
  | 'PAUSED'
  | 'PAUSED_BUDGET'
  | 'REJECTED'
  | 'EXPIRED'
  | 'WITHDRAWN'

export function stateOf({ status, statusReason }: Pick<Agent, 'status' | 'statusReason'>): AgentState {
  if (status === 'PAUSED' && statusReason === 'BUDGET') return 'PAUSED_BUDGET'
  if (status === 'REJECTED' && statusReason === 'EXPIRED') return 'EXPIRED'
  return status
}

/** Whether the caller decides on the agents of a channel, as `mayDecide` of the list says (AGT-12). */
export function decidesIn(
  caller: Pick<Caller, 'isAdministrator' | 'permissions'>,
  channel: Pick<Channel, 'type' | 'role' | 'isArchived'>,
): boolean {
  return (
    !channel.isArchived &&
    managesChannel(caller, channel) &&
    caller.permissions.includes('CHAT_APPLICATIONS_MANAGE')
  )
}

const hourMs = 3_600_000

/** The whole days, then hours, that a proposal still waits; soon: less than two days. */
export function timeLeft(expiresAt: string, now: number): { days: number; hours: number; isSoon: boolean } {
  const hours = Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / hourMs))
  return { days: Math.floor(hours / 24), hours, isSoon: hours < 48 }
}

/** The effect of another cap on the agents of an application (AGT-9). Spending exactly the cap does not exceed it. */
export function capEffect(
  { capMicros, spentMicros }: Pick<AgentBudget, 'capMicros' | 'spentMicros'>,
  next: number | null,
): 'pauses' | 'resumes' | 'staysPaused' | 'none' {
  const exceeds = (cap: number | null) => cap !== null && spentMicros > cap
  if (exceeds(next)) return exceeds(capMicros) ? 'staysPaused' : 'pauses'
  return exceeds(capMicros) ? 'resumes' : 'none'
}

/** The part of the cap that is spent, between 0 and 1. */
export function spentPart({
  capMicros,
  spentMicros,
}: Pick<AgentBudget, 'capMicros' | 'spentMicros'>): number {
  if (capMicros === null) return 0
  return capMicros === 0 ? Number(spentMicros > 0) : Math.min(1, spentMicros / capMicros)
}

/** The first moment of the month after `2026-11`, in UTC: then the spending starts from zero (AGT-8). */
export function nextMonthStart(month: string): string {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString()
}

/** A cent has this many millionths. */
const microsPerCent = 10_000

/** A cap as a person types it, in hundredths, as millionths. */
export function microsOf(cents: number): number {
  return cents * microsPerCent
}

/** Millionths as hundredths for a field, which has no more decimals. */
export function centsOf(micros: number): number {
  return Math.round(micros / microsPerCent)
}

const statusOrder = ['PENDING_APPROVAL', 'PAUSED', 'ACTIVE'] as const

/** The agents of a channel: those that wait for a person first, and apart those that have ended. */
export function inOrderOfState<Row extends Pick<Agent, 'status'>>(agents: readonly Row[]) {
  return {
    open: statusOrder.flatMap(status => agents.filter(agent => agent.status === status)),
    ended: agents.filter(({ status }) => status === 'REJECTED' || status === 'WITHDRAWN'),
  }
}
