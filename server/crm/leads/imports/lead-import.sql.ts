import type { LeadImport, LeadImportLine } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Origin } from '#platform/http/caller.ts'
import type { CsvColumns } from '../csv/columns.ts'

/** A stored import without its line reports. */
export type LeadImportRow = Omit<LeadImport, 'ignoredColumns'> & { columns: CsvColumns }
const shownColumns = `i.id, i.file_name as "fileName", i.status, i.total, i.done, i.created, i.rejected as refused, i.stopped_at as "stoppedAt",
  i.columns, i.created_by as "createdBy", i.created_at as "createdAt", i.ended_at as "endedAt"`

const insert = sql<
  LeadImportRow,
  [id: string, fileName: string, createdBy: string, origin: string, columns: string, total: number]
>(`
  insert into lead_import as i (organization_id, id, file_name, created_by, origin, columns, total, status, ended_at)
  values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, case when $7 = 0 then 'DONE' else 'RUNNING' end,
    case when $7 = 0 then now() end)
  on conflict (organization_id) where status = 'RUNNING' do nothing returning ${shownColumns}`)

/** Inserts an import; undefined while another one of the organization is running. An import without lines is DONE. */
export function insertImport(
  tx: Tx,
  input: Pick<LeadImportRow, 'id' | 'fileName' | 'createdBy' | 'columns' | 'total'> & { origin: Origin },
): Promise<LeadImportRow | undefined> {
  const { id, fileName, createdBy, origin, columns, total } = input
  return tx.first(insert, id, fileName, createdBy, JSON.stringify(origin), JSON.stringify(columns), total)
}

const insertLines = sql<never, [id: string, line: number, lines: string]>(
  'insert into lead_import_part (organization_id, import_id, line, lines) values ($1, $2, $3, $4)',
)

/** Stores a part by the number of its first line. */
export async function insertPart(tx: Tx, id: string, line: number, encrypted: string): Promise<void> {
  await tx.run(insertLines, id, line, encrypted)
}

const byId = `from lead_import i where i.organization_id = $1 and i.id = $2`
const select = sql<LeadImportRow & { lines: LeadImportLine[] }, [id: string]>(
  `select ${shownColumns}, i.line_reports as lines ${byId}`,
)
const lock = sql<LeadImportRow & { failures: number }, [id: string]>(
  `select ${shownColumns}, i.failures ${byId} for no key update`,
)

/**
 * An import with its line reports in order. Refuses LEAD_IMPORT_NOT_FOUND. One statement reads both, so that the counts and the
 * reports agree while a worker imports.
 */
export async function importWithLines(
  db: Db,
  id: string,
): Promise<{ row: LeadImportRow; lines: LeadImportLine[] }> {
  const { lines, ...row } = (await db.first(select, id)) ?? fail('LEAD_IMPORT_NOT_FOUND')
  return { row, lines: lines.slice(0, limits.leadImportReportedLines) }
}
/** An import, locked against workers until the transaction ends. Refuses LEAD_IMPORT_NOT_FOUND. */
export async function lockImport(tx: Tx, id: string): Promise<LeadImportRow & { failures: number }> {
  return (await tx.first(lock, id)) ?? fail('LEAD_IMPORT_NOT_FOUND')
}

// the primary key, because ids are ordered by time
const page = sql<LeadImportRow, [limit: number, offset: number]>(
  `select ${shownColumns} from lead_import i where i.organization_id = $1 order by i.id desc limit $2 offset $3`,
)
const count = sql<{ n: number }>(`
  select count(*) as n from (
    select 1 from lead_import i where i.organization_id = $1 limit ${limits.pageOffset + limits.pageLimit}) counted`)

/** A page of imports, latest first, and the total up to the last page. */
export async function importsOf(
  db: Db,
  limit: number,
  offset: number,
): Promise<{ rows: LeadImportRow[]; total: number }> {
  const [rows, counted] = await Promise.all([db.rows(page, limit, offset), db.first(count)])
  return { rows, total: counted!.n }
}

const end = sql<LeadImportRow, [id: string, status: string]>(`
  with gone as (
    delete from lead_import_part p where p.organization_id = $1 and p.import_id = $2 returning p.line
  )
  update lead_import i set status = $3, ended_at = now(), stopped_at = (select min(g.line) from gone g)
  where i.organization_id = $1 and i.id = $2 returning ${shownColumns}`)

/** Ends an import that this transaction has locked, and deletes its remaining lines. */
export async function endImport(tx: Tx, id: string, status: 'STOPPED' | 'CANCELLED'): Promise<LeadImportRow> {
  return (await tx.first(end, id, status))!
}
