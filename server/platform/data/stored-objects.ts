import { limits } from '#contract/limits.ts'
import type { Files, Incoming } from '../adapters/files.ts'
import type { Database } from './database.ts'
import { crossTenantSql } from './statement.ts'

// in one order, so that two uploads of the same files cannot deadlock
const recordRows = crossTenantSql<never, [sha256s: readonly string[], sizes: readonly number[]]>(
  'an object belongs to every organization that has its content',
  `insert into file_object (sha256, size, check_at)
   select o.sha256, o.size, now() + interval '${limits.unreferencedFileHours} hours'
   from unnest($1::text[], $2::int8[]) o (sha256, size) order by o.sha256
   on conflict (sha256) do update set check_at = excluded.check_at, unreferenced_at = null`,
)

/** Records objects that are about to be stored, so that housekeeping leaves them alone for a day. */
export async function registerObjects(
  database: Database,
  objects: readonly { sha256: string; size: number }[],
): Promise<void> {
  const bySha = [...new Map(objects.map(one => [one.sha256, one.size]))]
  if (bySha.length === 0) return
  await database.crossTenant.rows(
    recordRows,
    bySha.map(([sha256]) => sha256),
    bySha.map(([, size]) => size),
  )
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
