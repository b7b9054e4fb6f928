import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { mayRead, mentionsOf, messageColumns, messageJoins, readableRoot } from '../message.access.ts'
import type { ReadableMessageRow } from '../message.json.ts'

// ids are in the order of time; what cannot be read any more is passed over, so far and no further
const mentionsOfPerson = `from chat_mention z
    where z.organization_id = $1 and z.mentioned_id = $3 and z.message_id < $2 order by z.message_id desc`
const selectMentions = sql<ReadableMessageRow, [before: string, personId: string, most: number]>(`
  with looked as materialized (
    select z.message_id ${mentionsOfPerson} limit ${limits.mentionsScanned})
  select ${messageColumns}, ${mentionsOf}, ${readableRoot('$3')} from looked k
  join chat_message m on m.organization_id = $1 and m.id = k.message_id
  join chat_member me on me.organization_id = $1 and me.channel_id = m.channel_id and me.person_id = $3
  ${messageJoins}
  where strpos(m.content, '<@' || $3 || '>') > 0 and ${mayRead('$3')}
  order by m.id desc limit $4`)
const selectLastScanned = sql<{ id: string }, [before: string, personId: string]>(
  `select z.message_id as id ${mentionsOfPerson} offset ${limits.mentionsScanned - 1} limit 1`,
)

/** The newest messages before one that mention the person and that they may read, among so many that are looked at. */
export function mentionsBefore(
  db: Db,
  before: string,
  personId: string,
  limit: number,
): Promise<ReadableMessageRow[]> {
  return db.rows(selectMentions, before, personId, limit)
}

/** The last one that is looked at, or null when there are not so many. */
export async function lastScanned(db: Db, before: string, personId: string): Promise<string | null> {
  return (await db.first(selectLastScanned, before, personId))?.id ?? null
}
