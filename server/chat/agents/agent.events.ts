import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { required } from '#platform/required.ts'
import { nextSequence } from '../channels/channel.sql.ts'
import type { AgentRow } from './agent.access.ts'

type AgentSummary = Pick<AgentRow, 'id' | 'channel_id' | 'application_id' | 'name'>

/** Tells people on the event stream that an agent changed. */
export function emitAgentChanged(
  tx: Tx,
  actor: EventActor,
  { id, channel_id }: Pick<AgentRow, 'id' | 'channel_id'>,
) {
  emit(tx, actor, 'chat.agent.changed', { channelId: channel_id, agentId: id })
}

/** For the application and the event stream: the agent waits for approval (CEV-4). */
export async function emitAgentPendingApproval(tx: Tx, actor: EventActor, agent: AgentRow): Promise<void> {
  emitAgentChanged(tx, actor, agent)
  const data = { ...(await agentEventData(tx, agent)), expiresAt: agent.expires_at }
  emit(tx, actor, 'CHAT_AGENT_PENDING_APPROVAL', data, proposerOf(agent))
}

export async function emitAgentApproved(tx: Tx, actor: EventActor, agent: AgentRow): Promise<void> {
  emitAgentChanged(tx, actor, agent)
  const data = {
    ...(await agentEventData(tx, agent)),
    approvedAt: required(agent.decided_at, 'the time of an approval'),
  }
  emit(tx, actor, 'CHAT_AGENT_APPROVED', data, proposerOf(agent))
}

/** The agent was rejected, or its proposal expired. */
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

/** The data that all agent events share. */
export async function agentEventData(tx: Tx, { id, channel_id, name }: AgentSummary) {
  return { channelId: channel_id, sequence: await nextSequence(tx, channel_id), agentId: id, name }
}

// receives the event even without access to the channel
function proposerOf({ application_id }: AgentSummary) {
  return { applicationId: application_id }
}
