import type { Tx } from '#platform/data/database.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { nextSequence } from '../channels/channel.sql.ts'
import type { AgentRow } from './agent.access.ts'

type AgentSummary = Pick<AgentRow, 'id' | 'channel_id' | 'application_id' | 'name'>

/** Says on the stream that something of an agent is new. */
export function emitAgentChanged(
  tx: Tx,
  actor: EventActor,
  { id, channel_id }: Pick<AgentRow, 'id' | 'channel_id'>,
) {
  emit(tx, actor, 'chat.agent.changed', { channelId: channel_id, agentId: id })
}

/** Announces to the application, and on the stream, that its agent awaits approval (CEV-4). */
export async function emitAgentPendingApproval(tx: Tx, actor: EventActor, agent: AgentRow): Promise<void> {
  emitAgentChanged(tx, actor, agent)
  const data = { ...(await agentEventData(tx, agent)), expiresAt: agent.expires_at }
  emit(tx, actor, 'CHAT_AGENT_PENDING_APPROVAL', data, proposerOf(agent))
}

/** The same when it was approved. */
export async function emitAgentApproved(tx: Tx, actor: EventActor, agent: AgentRow): Promise<void> {
  emitAgentChanged(tx, actor, agent)
  const data = { ...(await agentEventData(tx, agent)), approvedAt: agent.decided_at! }
  emit(tx, actor, 'CHAT_AGENT_APPROVED', data, proposerOf(agent))
}

/** The same when it was rejected, or nobody decided in time. */
export async function emitAgentRejected(
  tx: Tx,
  actor: EventActor,
  agent: AgentSummary,
  reason: 'REJECTED' | 'EXPIRED',
  note: string | null,
): Promise<void> {
  emitAgentChanged(tx, actor, agent)
  const data = { ...(await agentEventData(tx, agent)), reason, note }
  emit(tx, actor, 'CHAT_AGENT_REJECTED', data, proposerOf(agent))
}

/** What every event about an agent carries. */
export async function agentEventData(tx: Tx, { id, channel_id, name }: AgentSummary) {
  return { channelId: channel_id, sequence: await nextSequence(tx, channel_id), agentId: id, name }
}

// whether it still is in the channel or not
function proposerOf({ application_id }: AgentSummary) {
  return { applicationId: application_id }
}
