import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'

/** The marker before and now, and the last message. */
export type ReadMark = { before: number; read_seq: number; last_seq: number }

// without a lock of the channel: whoever posts there does not wait
const move = sql<ReadMark, [channelId: string, personId: string, seq: number]>(
  `with mine as materialized (
     select m.read_seq, c.last_seq from chat_member m
     join chat_channel c on c.organization_id = $1 and c.id = m.channel_id
     where m.organization_id = $1 and m.channel_id = $2 and m.person_id = $3 for no key update of m),
   moved as (
     update chat_member m set read_seq = least($4::bigint, mine.last_seq) from mine
     where m.organization_id = $1 and m.channel_id = $2 and m.person_id = $3
       and mine.read_seq < least($4::bigint, mine.last_seq))
   select mine.read_seq as before, mine.last_seq,
     greatest(mine.read_seq, least($4::bigint, mine.last_seq)) as read_seq
   from mine`,
)

/** Moves the marker of a person forward, to the last message at most. Undefined when they are not in the channel. */
export function moveReadSeq(
  tx: Tx,
  channelId: string,
  personId: string,
  seq: number,
): Promise<ReadMark | undefined> {
  return tx.first(move, channelId, personId, seq)
}
