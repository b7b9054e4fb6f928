import { moveReadMarker } from '#contract/chat/members.ts'
import { emit, type Recipient } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { moveReadSeq } from './read-marker.sql.ts'

/** A request that does not move the marker writes neither an event nor an audit entry. */
export const moveRead = command(moveReadMarker, async ({ tx, caller, params: { id }, body, audit }) => {
  const { organizationId, personId } = caller
  const marker = (await moveReadSeq(tx, id, personId, body.seq)) ?? fail('CHANNEL_NOT_FOUND')
  const { before, read_seq: readSeq, unread: unreadCount } = marker
  if (readSeq === before) tx.pending.isReplay = true
  else {
    const reader: Recipient = { organizationId, personId }
    emit(tx, caller, 'chat.read.moved', { channelId: id, readSeq }, [reader])
  }
  audit(id, ['readSeq'])
  return { readSeq, unreadCount }
})
