import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

// more than the count limit, because messages of the reader and deleted ones are not counted
const scanLimit = 2 * limits.unreadCount

/** Counts rows of `chat_message` and `chat_reader` that `isIn` finds by an alias. */
function unreadOf(isIn: (alias: string) => string, personId: string, readSeq: string): string {
  const next = (alias: string) =>
    `${isIn(alias)} and ${alias}.seq > ${readSeq} order by ${alias}.seq limit ${scanLimit}`
  return `(select least(count(*), ${limits.unreadCount}) from (
      (select u.author_id, u.deleted_at from chat_message u
       where u.organization_id = $organization and u.visibility <> 'PRIVATE' and ${next('u')})
      union all
      select z.author_id, z.deleted_at from (
        select v.message_id from chat_reader v
        where v.organization_id = $organization and v.person_id = ${personId} and ${next('v')}) y
      join chat_message z on z.organization_id = $organization and z.id = y.message_id) n
    where n.author_id <> ${personId} and n.deleted_at is null)`
}

/**
 * The number of unread messages of others, at most `limits.unreadCount`; 0 without a marker. Like message pages it reads
 * messages for all members and private messages of the reader from an index each, and never scans other private messages.
 */
export function unreadAfter(channelId: string, personId: string, readSeq: string): string {
  return unreadOf(alias => `${alias}.channel_id = ${channelId}`, personId, readSeq)
}

/** The same for the replies to a message. */
export function unreadInThread(threadId: string, personId: string, readSeq: string): string {
  return unreadOf(alias => `${alias}.root_id = ${threadId}`, personId, readSeq)
}

/** The previous and the new position, and the number of unread messages. */
export type ReadMarker = { before: number; read_seq: number; unread: number }

// without a lock on the channel, so that posting does not wait
const moveTo = (readSeq: string) =>
  sql<ReadMarker, { channelId: string; personId: string; seq: number }>(
    `with mine as materialized (
     select m.read_seq as before, ${readSeq} as read_seq from chat_member m
     join chat_channel c on c.organization_id = $organization and c.id = m.channel_id
     where m.organization_id = $organization and m.channel_id = $channelId and m.person_id = $personId
       for no key update of m),
   moved as (
     update chat_member m set read_seq = mine.read_seq from mine
     where m.organization_id = $organization and m.channel_id = $channelId and m.person_id = $personId
       and mine.before <> mine.read_seq)
   select mine.before, mine.read_seq, ${unreadAfter('$channelId', '$personId', 'mine.read_seq')} as unread
   from mine`,
  )
const moveForward = moveTo('greatest(m.read_seq, least($seq::bigint, c.last_seq))')
const moveBack = moveTo('least(m.read_seq, $seq::bigint)')

/** Moves the marker forward, at most to the last message. Undefined if the person is not a member. */
export function moveReadSeq(
  tx: Tx,
  channelId: string,
  personId: string,
  seq: number,
): Promise<ReadMarker | undefined> {
  return tx.first(moveForward, { channelId, personId, seq })
}

/** Moves the marker back, so that `seq` is the last message that counts as read. Undefined if the person is not a member. */
export function moveReadSeqBack(
  tx: Tx,
  channelId: string,
  personId: string,
  seq: number,
): Promise<ReadMarker | undefined> {
  return tx.first(moveBack, { channelId, personId, seq })
}
