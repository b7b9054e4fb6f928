import { markUnread, moveReadMarker } from '#contract/chat/members.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit, type Recipient } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { messageFor } from '../messages/message.access.ts'
import { moveReadSeq, moveReadSeqBack, type ReadMarker } from './read-marker.sql.ts'

/** A request that does not move the marker writes neither an event nor an audit entry. */
export const moveRead = command(moveReadMarker, async ({ tx, caller, params: { id }, body, audit }) => {
  const marker = (await moveReadSeq(tx, id, caller.personId, body.seq)) ?? fail('CHANNEL_NOT_FOUND')
  audit(id, ['readSeq'])
  return announce(tx, caller, id, marker)
})

/** Keeps CHN-17. A message that is unread already changes nothing. */
export const unread = command(markUnread, async ({ tx, caller, params, audit }) => {
  const { channel_id: channelId, seq } = await messageFor(tx, caller, params.messageId)
  const marker = (await moveReadSeqBack(tx, channelId, caller.personId, seq - 1)) ?? fail('MESSAGE_NOT_FOUND')
  audit(channelId, ['readSeq'])
  return announce(tx, caller, channelId, marker)
})

function announce(
  tx: Tx,
  caller: Caller,
  channelId: string,
  { before, read_seq: readSeq, unread: unreadCount }: ReadMarker,
): { readSeq: number; unreadCount: number } {
  const reader: Recipient = { organizationId: caller.organizationId, personId: caller.personId }
  if (readSeq === before) tx.pending.isReplay = true
  else emit(tx, caller, 'chat.read.moved', { channelId, readSeq }, [reader])
  return { readSeq, unreadCount }
}
