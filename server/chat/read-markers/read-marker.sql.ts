import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'

// more than are counted: some may be the reader's own, or deleted
const scanLimit = 2 * limits.unreadCount
const nextMessages = (alias: string, channelId: string, readSeq: string) =>
  `${alias}.channel_id = ${channelId} and ${alias}.seq > ${readSeq} order by ${alias}.seq limit ${scanLimit}`

/**
 * How many messages of others a person may read after their marker, `limits.unreadCount` at most; 0 without a marker. As
 * pages of history it takes what all members see and what is private to the reader each from its index, and never passes
 * what is private to others.
 */
export function unreadAfter(channelId: string, personId: string, readSeq: string): string {
  return `(select least(count(*), ${limits.unreadCount}) from (
      (select u.author_id, u.deleted_at from chat_message u
       where u.organization_id = $1 and u.visibility <> 'PRIVATE' and ${nextMessages('u', channelId, readSeq)})
      union all
      select z.author_id, z.deleted_at from (
        select v.message_id from chat_reader v
        where v.organization_id = $1 and v.person_id = ${personId} and ${nextMessages('v', channelId, readSeq)}) y
      join chat_message z on z.organization_id = $1 and z.id = y.message_id) n
    where n.author_id <> ${personId} and n.deleted_at is null)`
}

/** The marker before and now, and what is unread after it. */
export type ReadMarker = { before: number; read_seq: number; unread: number }

// without a lock of the channel: whoever posts there does not wait
const move = sql<ReadMarker, [channelId: string, personId: string, seq: number]>(
  `with mine as materialized (
     select m.read_seq as before, greatest(m.read_seq, least($4::bigint, c.last_seq)) as read_seq from chat_member m
     join chat_channel c on c.organization_id = $1 and c.id = m.channel_id
     where m.organization_id = $1 and m.channel_id = $2 and m.person_id = $3 for no key update of m),
   moved as (
     update chat_member m set read_seq = mine.read_seq from mine
     where m.organization_id = $1 and m.channel_id = $2 and m.person_id = $3 and mine.before < mine.read_seq)
   select mine.before, mine.read_seq, ${unreadAfter('$2', '$3', 'mine.read_seq')} as unread from mine`,
)

/** Moves the marker of a person forward, to the last message at most. Undefined when they are not in the channel. */
export function moveReadSeq(
  tx: Tx,
  channelId: string,
  personId: string,
  seq: number,
): Promise<ReadMarker | undefined> {
  return tx.first(move, channelId, personId, seq)
}
