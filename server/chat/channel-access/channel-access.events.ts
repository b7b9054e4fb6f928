import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { lookUp } from '#platform/required.ts'
import { nextSequences } from '../channels/channel.sql.ts'
import type { ChannelAccessChange } from './channel-access.sql.ts'

/**
 * Emits a stream event for each application that gained or lost access, and CHAT_MEMBER_ADDED or CHAT_MEMBER_REMOVED for
 * the other applications of the channel (CEV-7).
 */
export async function emitAccessChanges(
  tx: Tx,
  actor: EventActor,
  changes: readonly ChannelAccessChange[],
): Promise<void> {
  const sequences = await nextSequences(
    tx,
    changes.map(({ channel_id }) => channel_id),
  )
  for (const { channel_id: channelId, application_id: applicationId, slug, has_access } of changes) {
    emit(tx, actor, 'chat.application.changed', { channelId, applicationId })
    const name = has_access ? 'CHAT_MEMBER_ADDED' : 'CHAT_MEMBER_REMOVED'
    const application = { id: applicationId, slug }
    const data = { channelId, sequence: lookUp(sequences, channelId), application }
    emit(tx, actor, name, data, { channelId, applicationId })
  }
}
