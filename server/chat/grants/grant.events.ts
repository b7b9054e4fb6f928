import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { required } from '#platform/required.ts'
import { nextSequence } from '../channels/channel.sql.ts'
import type { GrantRow } from './grant.sql.ts'

/**
 * Emits a stream event, and CHAT_MEMBER_ADDED or CHAT_MEMBER_REMOVED for the other applications of the channel if the
 * application gained or lost access (CEV-7).
 */
export async function emitGrantChanged(
  tx: Tx,
  actor: EventActor,
  channelId: string,
  before: GrantRow | undefined,
  after: GrantRow | undefined,
): Promise<void> {
  const { application_id: applicationId, slug } = required(after ?? before, 'a changed grant')
  emit(tx, actor, 'chat.application.changed', { channelId, applicationId })
  const [had, has] = [before?.is_announced ?? false, after?.is_announced ?? false]
  if (had === has) return
  const name = has ? 'CHAT_MEMBER_ADDED' : 'CHAT_MEMBER_REMOVED'
  const application = { id: applicationId, slug }
  const data = { channelId, sequence: await nextSequence(tx, channelId), application }
  emit(tx, actor, name, data, { channelId, applicationId })
}
