import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'

// the rows are locked in the order of their ids
const advance = sql<{ id: string; sequence: number }, [channelIds: readonly string[]]>(
  `with locked as (
     select c.id from chat_channel c where c.organization_id = $1 and c.id = any($2) order by c.id for no key update)
   update chat_channel c set notice_sequence = c.notice_sequence + 1
   from locked where c.organization_id = $1 and c.id = locked.id
   returning c.id, c.notice_sequence as sequence`,
)

/**
 * The sequence of the next change in each of these channels that applications are told of. The rows stay locked until
 * the commit, so sequences become visible in their order. A new message takes its sequence when it is inserted.
 */
export async function nextSequences(
  tx: Tx,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (channelIds.length === 0) return new Map()
  const rows = await tx.rows(advance, [...new Set(channelIds)])
  return new Map(rows.map(({ id, sequence }) => [id, sequence]))
}

/** The same of one channel. */
export async function nextSequence(tx: Tx, channelId: string): Promise<number> {
  return (await nextSequences(tx, [channelId])).get(channelId)!
}
