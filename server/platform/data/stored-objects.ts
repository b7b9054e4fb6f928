import { limits } from '#contract/limits.ts'
import type { Files, Incoming } from '../adapters/files.ts'
import { lastOf } from '../required.ts'
import type { Database } from './database.ts'
import { crossTenantSql } from './statement.ts'

// in one order, so that two uploads of the same files cannot deadlock
const recordRows = crossTenantSql<never, { sha256s: readonly string[]; sizes: readonly number[] }>(
  'an object belongs to every organization that has its content',
  `insert into file_object (sha256, size, check_at)
   select o.sha256, o.size, now() + interval '${limits.unreferencedFileHours} hours'
   from unnest($sha256s::text[], $sizes::int8[]) o (sha256, size) order by o.sha256
   on conflict (sha256) do update set check_at = excluded.check_at, unreferenced_at = null
   returning sha256`,
)

/** Records objects that are about to be stored, so that housekeeping leaves them alone for a day. */
export async function registerObjects(
  database: Database,
  objects: readonly { sha256: string; size: number }[],
): Promise<void> {
  const bySha = [...new Map(objects.map(one => [one.sha256, one.size]))]
  if (bySha.length === 0) return
  await database.crossTenant.rows(recordRows, {
    sha256s: bySha.map(([sha256]) => sha256),
    sizes: bySha.map(([, size]) => size),
  })
}

/**
 * Stores received bytes as objects, before rows refer to them. They are recorded first, so that housekeeping
 * finds unreferenced ones a day later. Throws StoreUnavailable. The caller discards the received bytes.
 */
export async function storeObjects(
  { database, files }: { database: Database; files: Files },
  incoming: readonly Incoming[],
): Promise<void> {
  await registerObjects(database, incoming)
  await files.put(incoming)
}

const objectPage = crossTenantSql<StoredObject, { after: string; limit: number }>(
  'a backup has the objects of all organizations',
  'select sha256, size::float8 as size from file_object where sha256 > $after order by sha256 limit $limit',
)
const pageSize = 5_000

/** An object of the file store, as the database knows it. */
export type StoredObject = { sha256: string; size: number }

/** All registered objects, by their digests. One whose upload was interrupted may be missing in the store. */
export async function* allObjects({
  crossTenant,
}: Pick<Database, 'crossTenant'>): AsyncGenerator<StoredObject> {
  let after = ''
  for (;;) {
    const rows = await crossTenant.rows(objectPage, { after, limit: pageSize })
    yield* rows
    if (rows.length < pageSize) return
    after = lastOf(rows).sha256
  }
}

const referenced = crossTenantSql<{ sha256: string }>(
  'a backup has the objects of all organizations',
  'select distinct f.sha256 from file_reference f',
)

/** The digests of all objects that rows refer to. */
export async function referencedObjects({ crossTenant }: Pick<Database, 'crossTenant'>): Promise<string[]> {
  return (await crossTenant.rows(referenced)).map(({ sha256 }) => sha256)
}
