import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { firstId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { daysAround, isExpired, type PartitionDay } from './days.ts'

const why = 'retention applies to all organizations'
const tables = ['webhook_delivery', 'webhook_attempt'] as const
const daysBefore = 1
const daysAhead = 3
const chunkSize = 1_000
const maxChunks = 100
/** Short timeouts: this work must not block a busy table. */
const timeouts = `set local lock_timeout = '500ms'; set local statement_timeout = '5s'`

const selectPartitions = crossTenantSql<{ name: string }, { table: string }>(
  'lists the partitions of a table, not rows',
  `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = $table::text::regclass order by 1`,
)
const now = crossTenantSql<{ ms: number }>(
  'the clock of the database',
  'select floor(extract(epoch from now()) * 1000)::float8 as ms',
)
const deleteFromDefault = {
  webhook_delivery: crossTenantSql<{ removed: number }, { before: string }>(
    why,
    `with gone as (delete from webhook_delivery_default where (organization_id, application_id, id) in (
       select organization_id, application_id, id from webhook_delivery_default
       where id < $before limit ${chunkSize}) returning 1)
     select count(*)::int as removed from gone`,
  ),
  webhook_attempt: crossTenantSql<{ removed: number }, { before: string }>(
    why,
    `with gone as (delete from webhook_attempt_default where (organization_id, delivery_id, n) in (
       select organization_id, delivery_id, n from webhook_attempt_default
       where delivery_id < $before limit ${chunkSize}) returning 1)
     select count(*)::int as removed from gone`,
  ),
}
const deleteOldRanges = crossTenantSql<{ removed: number }, { before: string }>(
  why,
  `with gone as (delete from webhook_new_range where (shard, application_id, first_id) in (
     select shard, application_id, first_id from webhook_new_range where last_id < $before limit ${chunkSize})
     returning 1)
   select count(*)::int as removed from gone`,
)
const deleteOldDue = crossTenantSql<{ removed: number }, { before: string }>(
  why,
  `with gone as (delete from webhook_due where (application_id, delivery_id) in (
     select application_id, delivery_id from webhook_due where delivery_id < $before limit ${chunkSize})
     returning 1)
   select count(*)::int as removed from gone`,
)

/**
 * Creates the partitions of the coming days and drops expired ones, which costs the same for any number of rows. Several
 * workers may run it. If a busy table refuses, the next run tries again.
 */
export async function maintainDeliveryPartitions(
  database: Database,
  log: Pick<Log, 'warn'>,
  atMs?: number,
): Promise<void> {
  const ms = atMs ?? (await database.crossTenant.first(now))?.ms ?? nowMs()
  const before = firstId(ms - limits.webhookRetentionDays * 86_400_000)
  for (const table of tables) {
    const existing = new Set(
      (await database.crossTenant.rows(selectPartitions, { table })).map(({ name }) => name),
    )
    for (const day of daysAround(ms, daysBefore, daysAhead)) {
      if (!existing.has(`${table}_${day.name}`))
        await tryPartition(log, () => createPartition(database, table, day))
    }
    for (const name of existing) {
      const day = /_(\d{8})$/.exec(name)?.[1]
      if (day && isExpired(day, ms, limits.webhookRetentionDays))
        await tryPartition(log, () => inTransaction(database, [`drop table if exists ${name}`]))
    }
    await inChunks(() => database.crossTenant.first(deleteFromDefault[table], { before }))
  }
  // rows of endpoints that were paused for longer than the retention
  await inChunks(() => database.crossTenant.first(deleteOldRanges, { before }))
  await inChunks(() => database.crossTenant.first(deleteOldDue, { before }))
}

/** Creates the partition separately and attaches it, which does not lock the table for its users. */
async function createPartition(
  database: Database,
  table: (typeof tables)[number],
  { name, from, to }: PartitionDay,
): Promise<void> {
  const partition = `${table}_${name}`
  const key = table === 'webhook_delivery' ? 'id' : 'delivery_id'
  // a delivery changes once, soon after it was written: free space in its page avoids index updates
  const storage = table === 'webhook_delivery' ? ' with (fillfactor = 45)' : ''
  await inTransaction(database, [
    `create table ${partition} (like ${table} including all)${storage}`,
    `alter table ${partition} add constraint ${partition}_day check (${key} >= '${from}' and ${key} < '${to}')`,
    `alter table ${table} attach partition ${partition} for values from ('${from}') to ('${to}')`,
    `alter table ${partition} drop constraint ${partition}_day`,
  ])
}

/** Sends the statements one by one, because Citus refuses several changes of the schema that are sent at once. */
async function inTransaction(database: Database, statements: readonly string[]): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query(`begin; ${timeouts}; select pg_advisory_xact_lock(7283462)`)
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function tryPartition(log: Pick<Log, 'warn'>, work: () => Promise<void>): Promise<void> {
  await work().catch((error: { code?: string }) => {
    const wasFirst = ['42P07', '23505', '42809'].includes(error.code ?? '')
    if (!wasFirst) log.warn({ err: error }, 'could not create or drop partitions of webhook deliveries')
  })
}

async function inChunks(remove: () => Promise<{ removed: number } | undefined>): Promise<void> {
  for (let round = 0; round < maxChunks; round++) {
    if (((await remove())?.removed ?? 0) < chunkSize) return
  }
}
