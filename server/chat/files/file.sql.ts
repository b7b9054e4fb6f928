import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'

/** A file of a message, or one that waits for its message. */
export type FileRow = { id: string; filename: string; content_type: string; size: number }
/** A file to insert, whose bytes are in the file store already. */
export type NewFile = FileRow & { sha256: string }

const countWaiting = sql<{ waiting: number }, [personId: string]>(
  `select count(*) as waiting from chat_file f
   where f.organization_id = $1 and f.uploaded_by = $2 and f.message_id is null`,
)

/** The files of a person that wait for a message. */
export async function countWaitingFiles(db: Db, personId: string): Promise<number> {
  return (await db.first(countWaiting, personId))!.waiting
}

const insert = sql<
  FileRow,
  [
    channelId: string,
    personId: string,
    bytes: number,
    ids: readonly string[],
    filenames: readonly string[],
    contentTypes: readonly string[],
    sizes: readonly number[],
    sha256s: readonly string[],
  ]
>(`
  with usage as (
    insert into chat_file_usage as u (organization_id, bytes) values ($1, $4)
    on conflict (organization_id) do update set bytes = u.bytes + excluded.bytes
      where u.bytes + excluded.bytes <= ${limits.chatFileBytesPerOrganization}
    returning u.bytes)
  insert into chat_file as f (organization_id, channel_id, uploaded_by, id, filename, content_type, size, sha256)
  select $1, $2, $3, n.* from unnest($5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[]) n
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
  return tx.rows(
    insert,
    channelId,
    personId,
    bytes,
    all('id'),
    all('filename'),
    all('content_type'),
    all('size'),
    all('sha256'),
  )
}

const attach = sql<
  FileRow,
  [messageId: string, channelId: string, personId: string, ids: readonly string[]]
>(`
  with taken as (
    update chat_file f set message_id = $2
    where f.organization_id = $1 and f.id = any($5::text[]) and f.channel_id = $3 and f.uploaded_by = $4
      and f.message_id is null
    returning f.id, f.filename, f.content_type, f.size),
  counted as (
    update chat_message m set file_count = (select count(*) from taken) where m.organization_id = $1 and m.id = $2)
  select id, filename, content_type, size from taken order by id`)

/** Gives files of a person that wait in the channel to a new message. Others are not among the returned ones. */
export function attachFiles(
  tx: Tx,
  message: { id: string; channelId: string },
  personId: string,
  ids: readonly string[],
): Promise<FileRow[]> {
  return tx.rows(attach, message.id, message.channelId, personId, ids)
}

const remove = sql<never, [ids: readonly string[]]>(`
  with gone as (
    delete from chat_file f where f.organization_id = $1 and f.id = any($2::text[]) returning f.message_id, f.size),
  counted as (
    update chat_message m set file_count = m.file_count - (select count(*) from gone)
    where m.organization_id = $1 and m.id = (select min(message_id) from gone))
  update chat_file_usage u set bytes = u.bytes - (select coalesce(sum(size), 0) from gone)
  where u.organization_id = $1`)

/** Deletes files, all of one message or without one. The sweep deletes their objects once nothing refers to them. */
export async function deleteFiles(tx: Tx, files: readonly Pick<FileRow, 'id'>[]): Promise<void> {
  if (files.length > 0)
    await tx.run(
      remove,
      files.map(({ id }) => id),
    )
}
