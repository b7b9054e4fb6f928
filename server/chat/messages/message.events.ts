import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { nextSequence } from '../channels/channel.sql.ts'
import type { MessageRow } from './message.json.ts'
import { isShared, isVisible } from './message.rules.ts'
import type { InsertedMessage } from './message.sql.ts'

type Actor = Pick<Caller, 'personId' | 'applicationId'>
type ApplicationEvent = 'CHAT_MESSAGE_CREATED' | 'CHAT_MESSAGE_UPDATED' | 'CHAT_MESSAGE_DELETED'
type StreamEvent = 'chat.message.created' | 'chat.message.updated' | 'chat.message.deleted'

/** Emits a stream event and, for a visible message, the application events. */
export function emitMessagePosted(
  tx: Tx,
  actor: Actor,
  message: InsertedMessage<MessageRow>,
  mentionedApplicationIds: readonly string[],
): void {
  emitToStream(tx, actor, 'chat.message.created', message)
  if (!isVisible(message)) return
  const sequence = message.event_sequence
  emitToApplications(tx, actor, 'CHAT_MESSAGE_CREATED', message, sequence)
  emitMentions(tx, actor, message, mentionedApplicationIds, sequence)
}

/**
 * Emits a change by its effect on the readers: deleted for those who lose access to the message, created for those who
 * gain it (CEV-3, CST-3).
 */
export async function emitMessageChanged(
  tx: Tx,
  actor: Actor,
  before: MessageRow,
  after: MessageRow,
  mentionedApplicationIds: readonly string[],
): Promise<void> {
  for (const event of streamEventsFor(before, after)) emitToStream(tx, actor, event, after)
  const event = applicationEventFor(before, after)
  const newlyMentioned = isVisible(after) ? mentionedApplicationIds : []
  if (!event && newlyMentioned.length === 0) return
  const sequence = await nextSequence(tx, after.channel_id)
  if (event) emitToApplications(tx, actor, event, after, sequence)
  emitMentions(tx, actor, after, newlyMentioned, sequence)
}

/** Emits that the files of a message changed, to people alone: applications see no files. */
export function emitFilesChanged(tx: Tx, actor: Actor, message: MessageRow): void {
  emitToStream(tx, actor, 'chat.message.updated', message)
}

function applicationEventFor(before: MessageRow, after: MessageRow): ApplicationEvent | undefined {
  if (isVisible(before) && !isVisible(after)) return 'CHAT_MESSAGE_DELETED'
  if (!isVisible(before)) return isVisible(after) ? 'CHAT_MESSAGE_CREATED' : undefined
  return before.content === after.content ? undefined : 'CHAT_MESSAGE_UPDATED'
}

function streamEventsFor(before: MessageRow, after: MessageRow): StreamEvent[] {
  if (after.deleted_at !== null) return ['chat.message.deleted']
  if (isShared(after)) return [isShared(before) ? 'chat.message.updated' : 'chat.message.created']
  // deleted for the others, updated for the author
  return isShared(before) ? ['chat.message.deleted', 'chat.message.updated'] : ['chat.message.updated']
}

function emitToStream(tx: Tx, actor: Actor, event: StreamEvent, message: MessageRow): void {
  const { channel_id: channelId, id: messageId, seq, shared_root_id: parentMessageId } = message
  emit(tx, actor, event, { channelId, messageId, seq, parentMessageId })
}

// ids only: applications read the text through the API (CEV-2)
function emitToApplications(
  tx: Tx,
  actor: Actor,
  event: ApplicationEvent,
  message: MessageRow,
  sequence: number,
): void {
  emit(tx, actor, event, applicationEventData(message, sequence), {
    channelId: message.channel_id,
    messageId: message.id,
  })
}

function emitMentions(
  tx: Tx,
  actor: Actor,
  message: MessageRow,
  mentionedApplicationIds: readonly string[],
  sequence: number,
): void {
  const subject = { channelId: message.channel_id, messageId: message.id }
  for (const applicationId of mentionedApplicationIds)
    emit(tx, actor, 'CHAT_APP_MENTIONED', applicationEventData(message, sequence), {
      ...subject,
      applicationId,
    })
}

function applicationEventData({ id, channel_id, visible_root_id }: MessageRow, sequence: number) {
  return { messageId: id, channelId: channel_id, sequence, parentMessageId: visible_root_id }
}
