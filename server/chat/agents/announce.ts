import type { Tx } from '#platform/db/database.ts'
import { type Actor, emit } from '#platform/emit.ts'
import type { AgentRow } from './access.ts'

type Named = Pick<AgentRow, 'id' | 'channel_id' | 'application_id' | 'name'>

/** Says on the stream that something of an agent is new. */
export function announceChanged(
  tx: Tx,
  actor: Actor,
  { id, channel_id }: Pick<AgentRow, 'id' | 'channel_id'>,
) {
  emit(tx, actor, 'chat.agent.changed', { channelId: channel_id, agentId: id })
}

/** Tells the application, and the stream, that its agent awaits approval. Document 2, Events. */
export function announcePending(tx: Tx, actor: Actor, agent: AgentRow): void {
  announceChanged(tx, actor, agent)
  const data = { ...noticeOf(agent), expiresAt: agent.expires_at }
  emit(tx, actor, 'CHAT_AGENT_PENDING_APPROVAL', data, creator(agent))
}

/** The same when it was approved. */
export function announceApproved(tx: Tx, actor: Actor, agent: AgentRow): void {
  announceChanged(tx, actor, agent)
  emit(
    tx,
    actor,
    'CHAT_AGENT_APPROVED',
    { ...noticeOf(agent), approvedAt: agent.decided_at! },
    creator(agent),
  )
}

/** The same when it was rejected, or nobody decided in time. */
export function announceRejected(
  tx: Tx,
  actor: Actor,
  agent: Named,
  reason: 'REJECTED' | 'EXPIRED',
  note: string | null,
): void {
  announceChanged(tx, actor, agent)
  emit(tx, actor, 'CHAT_AGENT_REJECTED', { ...noticeOf(agent), reason, note }, creator(agent))
}

/** What every notice says of an agent. */
export function noticeOf({ id, channel_id, name }: Named) {
  return { channelId: channel_id, agentId: id, name }
}

// whether it still is in the channel or not
function creator({ application_id }: Named) {
  return { applicationId: application_id }
}
