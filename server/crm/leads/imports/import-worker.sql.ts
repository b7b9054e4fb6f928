import type { LeadImportLine } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import type { Database, Db, Tx } from '#platform/data/database.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { Origin } from '#platform/http/caller.ts'
import type { CsvColumns } from '../csv/columns.ts'

/** An import that a worker has leased. */
export type ClaimedImport = {
  organizationId: string
  id: string
  createdBy: string
  origin: Origin
  columns: CsvColumns
}

/** The lease of a worker. Importing a part takes less: see the statement timeout of the worker. */
const leaseDuration = `interval '15 seconds'`

// index lead_import_due
const claim = crossTenantSql<ClaimedImport>(
  'a worker claims the imports of all organizations in turn',
  `update lead_import i set next_run_at = now() + ${leaseDuration}
   from (select organization_id, id from lead_import where status = 'RUNNING' and next_run_at <= now() order by next_run_at limit 1
         for no key update skip locked) due
   where i.organization_id = due.organization_id and i.id = due.id
   returning i.organization_id as "organizationId", i.id, i.created_by as "createdBy", i.origin, i.columns`,
)

/** Leases the import that has waited longest. */
export function claimImport(database: Database): Promise<ClaimedImport | undefined> {
  return database.crossTenant.first(claim)
}

const release = sql<never, [id: string, seconds: number, failures: number]>(`
  update lead_import i set next_run_at = clock_timestamp() + make_interval(secs => $3), failures = i.failures + $4
  where i.organization_id = $1 and i.id = $2 and i.status = 'RUNNING'`)

/** Ends the lease, so that any worker can continue after `seconds`. */
export async function releaseImport(tx: Tx, id: string, seconds = 0, failures = 0): Promise<void> {
  await tx.run(release, id, seconds, failures)
}

const selectPart = sql<{ line: number; lines: string }, [id: string, after: number]>(`
  select p.line, p.lines from lead_import_part p where p.organization_id = $1 and p.import_id = $2 and p.line > $3
  order by p.line limit 1`)

/** The next part after a line, encrypted. */
export function nextPart(
  db: Db,
  id: string,
  after: number,
): Promise<{ line: number; lines: string } | undefined> {
  return db.first(selectPart, id, after)
}

const deletePart = sql<never, [id: string, line: number]>(`
  with running as (
    select i.id from lead_import i where i.organization_id = $1 and i.id = $2 and i.status = 'RUNNING' for no key update
  )
  delete from lead_import_part p using running where p.organization_id = $1 and p.import_id = running.id and p.line = $3`)

/** Deletes a part. Returns false if another worker deleted it or the import has ended. */
export async function consumePart(tx: Tx, id: string, line: number): Promise<boolean> {
  return (await tx.run(deletePart, id, line)) > 0
}

const advance = sql<never, [id: string, done: number, created: number, refused: number, reports: string]>(`
  update lead_import i set done = i.done + $3, created = i.created + $4, rejected = i.rejected + $5,
    line_reports = case when jsonb_array_length(i.line_reports) < ${limits.leadImportReportedLines} then i.line_reports || $6::jsonb else i.line_reports end,
    next_run_at = clock_timestamp() + ${leaseDuration}, failures = 0,
    status = case when i.done + $3 = i.total then 'DONE' else i.status end,
    ended_at = case when i.done + $3 = i.total then now() end
  where i.organization_id = $1 and i.id = $2`)
type ImportProgress = { created: number; refused: number; reports: readonly LeadImportLine[] }

/** Records processed lines, and ends the import after the last one. */
export async function advanceImport(
  tx: Tx,
  id: string,
  { created, refused, reports }: ImportProgress,
): Promise<void> {
  await tx.run(advance, id, created + refused, created, refused, JSON.stringify(reports))
}

const deleteOld = crossTenantSql<{ deleted: number }>(
  'the retention of imports is the same for all organizations',
  `with gone as (
     delete from lead_import i where (i.organization_id, i.id) in (
       select organization_id, id from lead_import
       where ended_at < now() - interval '${limits.leadImportDays} days' limit 1000) returning 1)
   select count(*)::int as deleted from gone`,
)

/** Deletes a batch of imports beyond the retention and returns their number. */
export async function deleteOldImports(database: Database): Promise<number> {
  return (await database.crossTenant.first(deleteOld))!.deleted
}
