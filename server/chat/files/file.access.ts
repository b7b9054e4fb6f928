import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { mayRead } from '../messages/message.access.ts'
import type { NewFile } from './file.sql.ts'

/** A file that a person may read, with the database's time in seconds since 1970. */
export type ReadableFileRow = NewFile & { message_id: string | null; now_seconds: number }

const selectReadable = sql<ReadableFileRow, { id: string; personId: string }>(
  `select f.id, f.filename, f.content_type, f.size, f.sha256, f.message_id,
     floor(extract(epoch from clock_timestamp()))::int8 as now_seconds
   from chat_file f
   join chat_member me on me.organization_id = $organization and me.channel_id = f.channel_id and me.person_id = $personId
   join membership p on p.organization_id = $organization and p.person_id = $personId and p.removed_at is null
   left join chat_message m on m.organization_id = $organization and m.id = f.message_id
   where f.organization_id = $organization and f.id = $id
     and case when f.message_id is null then f.uploaded_by = $personId else m.deleted_at is null and ${mayRead('$personId')} end`,
)

/**
 * A file of a message that the person may read, or of the person alone while it waits for a message (MSG-22). The one
 * condition for the address and for opening it. Refuses FILE_NOT_FOUND.
 */
export async function fileFor(
  db: Db,
  { personId }: Pick<Caller, 'personId'>,
  id: string,
): Promise<ReadableFileRow> {
  return (await db.first(selectReadable, { id, personId })) ?? fail('FILE_NOT_FOUND')
}
