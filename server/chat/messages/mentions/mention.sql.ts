import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { mayRead, mentionsOf, messageColumns, messageJoins, personColumns } from '../message.access.ts'
import type { ReadableMessageRow } from '../message.json.ts'

// ids are in the order of time; unreadable messages are skipped, up to limits.mentionsScanned
const mentionsOfPerson = `from chat_mention z
    where z.organization_id = $organization and z.mentioned_id = $personId and z.message_id < $before
    order by z.message_id desc`
const selectMentions = sql<ReadableMessageRow, { before: string; personId: string; limit: number }>(`
  with scanned as materialized (
    select z.message_id ${mentionsOfPerson} limit ${limits.mentionsScanned})
  select ${messageColumns}, ${mentionsOf}, ${personColumns('$personId')} from scanned k
  join chat_message m on m.organization_id = $organization and m.id = k.message_id
  join chat_member me on me.organization_id = $organization and me.channel_id = m.channel_id
    and me.person_id = $personId
  ${messageJoins}
  where strpos(m.content, '<@' || $personId || '>') > 0 and ${mayRead('$personId')}
  order by m.id desc limit $limit`)
const selectLastScanned = sql<{ id: string }, { before: string; personId: string }>(
  `select z.message_id as id ${mentionsOfPerson} offset ${limits.mentionsScanned - 1} limit 1`,
)

/** The newest readable messages before one that mention the person, among the scanned mentions. */
export function mentionsBefore(
  db: Db,
  before: string,
  personId: string,
  limit: number,
): Promise<ReadableMessageRow[]> {
  return db.rows(selectMentions, { before, personId, limit })
}

/** The last scanned mention, or null if the scan reached the end. */
export async function lastScanned(db: Db, before: string, personId: string): Promise<string | null> {
  return (await db.first(selectLastScanned, { before, personId }))?.id ?? null
}
