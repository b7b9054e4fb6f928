import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** A file of a message, or one that waits for its message. */
export type FileRow = { id: string; filename: string; content_type: string; size: number }
/** A file to insert, whose bytes are in the file store already. */
export type NewFile = FileRow & { sha256: string }

const countWaiting = sql<{ waiting: number }, { personId: string }>(
  `select count(*) as waiting from chat_file f
   where f.organization_id = $organization and f.uploaded_by = $personId and f.message_id is null`,
)

/** The files of a person that wait for a message. */
export async function countWaitingFiles(db: Db, personId: string): Promise<number> {
  return (await db.one(countWaiting, { personId })).waiting
}

const insert = sql<
  FileRow,
  {
    channelId: string
    personId: string
    bytes: number
    ids: readonly string[]
    filenames: readonly string[]
    contentTypes: readonly string[]
    sizes: readonly number[]
    sha256s: readonly string[]
  }
>(`
  with usage as (
    insert into chat_file_usage as u (organization_id, bytes) values ($organization, $bytes)
    on conflict (organization_id) do update set bytes = u.bytes + excluded.bytes
      where u.bytes + excluded.bytes <= ${limits.chatFileBytesPerOrganization}
    returning u.bytes)
  insert into chat_file as f (organization_id, channel_id, uploaded_by, id, filename, content_type, size, sha256)
  select $organization, $channelId, $personId, n.*
  from unnest($ids::text[], $filenames::text[], $contentTypes::text[], $sizes::bigint[], $sha256s::text[]) n
  where exists (select from usage)
  returning f.id, f.filename, f.content_type, f.size`)

/** Inserts files that wait for a message. None if the organization would have too many bytes. */
export function insertFiles(
  tx: Tx,
  channelId: string,
  personId: string,
  files: readonly NewFile[],
): Promise<FileRow[]> {
  const all = <Key extends keyof NewFile>(key: Key) => files.map(file => file[key])
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return tx.rows(insert, {
    channelId,
    personId,
    bytes,
    ids: all('id'),
    filenames: all('filename'),
    contentTypes: all('content_type'),
    sizes: all('size'),
    sha256s: all('sha256'),
  })
}

const attach = sql<
  FileRow,
  { messageId: string; channelId: string; personId: string; ids: readonly string[] }
>(`
  with taken as (
    update chat_file f set message_id = $messageId
    where f.organization_id = $organization and f.id = any($ids::text[]) and f.channel_id = $channelId
      and f.uploaded_by = $personId
      and f.message_id is null
    returning f.id, f.filename, f.content_type, f.size),
  counted as (
    update chat_message m set file_count = (select count(*) from taken)
    where m.organization_id = $organization and m.id = $messageId)
  select id, filename, content_type, size from taken order by id`)

/** Gives files of a person that wait in the channel to a new message. Others are not among the returned ones. */
export function attachFiles(
  tx: Tx,
  message: { id: string; channelId: string },
  personId: string,
  ids: readonly string[],
): Promise<FileRow[]> {
  return tx.rows(attach, { messageId: message.id, channelId: message.channelId, personId, ids })
}

const remove = sql<never, { ids: readonly string[] }>(`
  with gone as (
    delete from chat_file f where f.organization_id = $organization and f.id = any($ids::text[])
    returning f.message_id, f.size),
  counted as (
    update chat_message m set file_count = m.file_count - (select count(*) from gone)
    where m.organization_id = $organization and m.id = (select min(message_id) from gone))
  update chat_file_usage u set bytes = u.bytes - (select coalesce(sum(size), 0) from gone)
  where u.organization_id = $organization`)

/** Deletes files, all of one message or without one. The sweep deletes their objects once nothing refers to them. */
export async function deleteFiles(tx: Tx, files: readonly Pick<FileRow, 'id'>[]): Promise<void> {
  if (files.length > 0) await tx.run(remove, { ids: files.map(({ id }) => id) })
}
