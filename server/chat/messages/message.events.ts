import type { Tx } from '#platform/data/database.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { nextSequence } from '../channels/channel.sql.ts'
import type { MessageRow } from './message.json.ts'
import { isShared, isVisible } from './message.rules.ts'
import type { Posted } from './message.sql.ts'

type Actor = Pick<Caller, 'personId' | 'applicationId'>
type Notice = 'CHAT_MESSAGE_CREATED' | 'CHAT_MESSAGE_UPDATED' | 'CHAT_MESSAGE_DELETED'
type Frame = 'chat.message.created' | 'chat.message.updated' | 'chat.message.deleted'

/** Says on the stream, and when it is visible to the applications of the channel, that a message was written. */
export function announcePosted(
  tx: Tx,
  actor: Actor,
  message: Posted<MessageRow>,
  mentioned: readonly string[],
): void {
  show(tx, actor, 'chat.message.created', message)
  if (!isVisible(message)) return
  const sequence = message.notice_sequence
  tell(tx, actor, 'CHAT_MESSAGE_CREATED', message, sequence)
  tellMentioned(tx, actor, message, mentioned, sequence)
}

/**
 * Announces a change of a message by its meaning for each reader: it is deleted for those who lose it, and created for
 * those who begin to see it (CEV-3, CST-3).
 */
export async function announceChanged(
  tx: Tx,
  actor: Actor,
  before: MessageRow,
  after: MessageRow,
  mentioned: readonly string[],
): Promise<void> {
  for (const frame of framesOf(before, after)) show(tx, actor, frame, after)
  const notice = noticeOf(before, after)
  const newlyMentioned = isVisible(after) ? mentioned : []
  if (!notice && newlyMentioned.length === 0) return
  const sequence = await nextSequence(tx, after.channel_id)
  if (notice) tell(tx, actor, notice, after, sequence)
  tellMentioned(tx, actor, after, newlyMentioned, sequence)
}

function noticeOf(before: MessageRow, after: MessageRow): Notice | undefined {
  if (isVisible(before) && !isVisible(after)) return 'CHAT_MESSAGE_DELETED'
  if (!isVisible(before)) return isVisible(after) ? 'CHAT_MESSAGE_CREATED' : undefined
  return before.content === after.content ? undefined : 'CHAT_MESSAGE_UPDATED'
}

function framesOf(before: MessageRow, after: MessageRow): Frame[] {
  if (after.deleted_at !== null) return ['chat.message.deleted']
  if (isShared(after)) return [isShared(before) ? 'chat.message.updated' : 'chat.message.created']
  // the others lose it; its author reads it on
  return isShared(before) ? ['chat.message.deleted', 'chat.message.updated'] : ['chat.message.updated']
}

function show(tx: Tx, actor: Actor, frame: Frame, message: MessageRow): void {
  const { channel_id: channelId, id: messageId, seq, shared_root_id: parentMessageId } = message
  emit(tx, actor, frame, { channelId, messageId, seq, parentMessageId })
}

// ids alone: the text is read through the filter (CEV-2)
function tell(tx: Tx, actor: Actor, notice: Notice, message: MessageRow, sequence: number): void {
  emit(tx, actor, notice, noticed(message, sequence), {
    channelId: message.channel_id,
    messageId: message.id,
  })
}

function tellMentioned(
  tx: Tx,
  actor: Actor,
  message: MessageRow,
  mentioned: readonly string[],
  sequence: number,
): void {
  const about = { channelId: message.channel_id, messageId: message.id }
  for (const applicationId of mentioned)
    emit(tx, actor, 'CHAT_APP_MENTIONED', noticed(message, sequence), { ...about, applicationId })
}

function noticed({ id, channel_id, visible_root_id }: MessageRow, sequence: number) {
  return { messageId: id, channelId: channel_id, sequence, parentMessageId: visible_root_id }
}
