import type { CsvImport, CsvImportLine } from '#contract/crm/csv-imports.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'
import type { Origin } from '#platform/http/caller.ts'
import type { CsvColumns } from './csv-columns.ts'

/** A stored import without its line reports. */
export type CsvImportRow = Omit<CsvImport, 'ignoredColumns'> & { columns: CsvColumns }
type NewImport = Pick<CsvImportRow, 'id' | 'fileName' | 'createdBy' | 'columns' | 'total'> & {
  origin: Origin
}
/** An import that a worker has leased. */
export type ClaimedImport = {
  organization_id: string
  id: string
  created_by: string
  origin: Origin
  columns: CsvColumns
}
type ImportProgress = { created: number; refused: number; reports: readonly CsvImportLine[] }

/** The lease of a worker. Importing a part takes less: see the statement timeout of the worker. */
const leaseDuration = `interval '15 seconds'`
const shownColumns = `i.id, i.file_name as "fileName", i.status, i.total, i.done, i.created, i.rejected as refused, i.stopped_at as "stoppedAt",
  i.columns, i.created_by as "createdBy", i.created_at as "createdAt", i.ended_at as "endedAt"`

type ImportTable = 'lead_import' | 'client_import'

/** Declares the statements for the imports in a table; their waiting lines are in the table with the suffix `_part`. */
function importStatements(table: ImportTable) {
  const insert = sql<
    CsvImportRow,
    { id: string; fileName: string; createdBy: string; origin: string; columns: string; total: number }
  >(`
    insert into ${table} as i (organization_id, id, file_name, created_by, origin, columns, total, status, ended_at)
    values ($organization, $id, $fileName, $createdBy, $origin::jsonb, $columns::jsonb, $total,
      case when $total = 0 then 'DONE' else 'RUNNING' end, case when $total = 0 then now() end)
    on conflict (organization_id) where status = 'RUNNING' do nothing returning ${shownColumns}`)
  const insertLines = sql<never, { id: string; line: number; lines: string }>(
    `insert into ${table}_part (organization_id, import_id, line, lines)
      values ($organization, $id, $line, $lines)`,
  )
  const select = sql<CsvImportRow & { lines: CsvImportLine[] }, { id: string }>(
    `select ${shownColumns}, i.line_reports as lines from ${table} i
      where i.organization_id = $organization and i.id = $id`,
  )
  const lock = sql<CsvImportRow & { failures: number }, { id: string }>(
    `select ${shownColumns}, i.failures from ${table} i
      where i.organization_id = $organization and i.id = $id for no key update`,
  )
  // the primary key, because ids are ordered by time
  const page = sql<CsvImportRow, { limit: number; offset: number }>(
    `select ${shownColumns} from ${table} i where i.organization_id = $organization
      order by i.id desc limit $limit offset $offset`,
  )
  const count = sql<{ n: number }>(`
    select count(*) as n from (
      select 1 from ${table} i where i.organization_id = $organization
        limit ${limits.pageOffset + limits.pageLimit}) counted`)
  const end = sql<CsvImportRow, { id: string; status: string }>(`
    with gone as (
      delete from ${table}_part p where p.organization_id = $organization and p.import_id = $id returning p.line
    )
    update ${table} i set status = $status, ended_at = now(), stopped_at = (select min(g.line) from gone g)
    where i.organization_id = $organization and i.id = $id returning ${shownColumns}`)
  // index lead_import_due or client_import_due
  const claim = crossTenantSql<ClaimedImport>(
    'a worker claims the imports of all organizations in turn',
    `update ${table} i set next_run_at = now() + ${leaseDuration}
     from (select organization_id, id from ${table} where status = 'RUNNING' and next_run_at <= now()
       order by next_run_at limit 1
           ${oneServerLock('for no key update skip locked')}) due
     where i.organization_id = due.organization_id and i.id = due.id and i.next_run_at <= now()
     returning i.organization_id, i.id, i.created_by, i.origin, i.columns`,
  )
  const release = sql<never, { id: string; seconds: number; failures: number }>(`
    update ${table} i set next_run_at = (select clock_timestamp()) + make_interval(secs => $seconds),
      failures = i.failures + $failures
    where i.organization_id = $organization and i.id = $id and i.status = 'RUNNING'`)
  const selectPart = sql<{ line: number; lines: string }, { id: string; after: number }>(`
    select p.line, p.lines from ${table}_part p where p.organization_id = $organization and p.import_id = $id
      and p.line > $after
    order by p.line limit 1`)
  const deletePart = sql<never, { id: string; line: number }>(`
    with running as (
      select i.id from ${table} i where i.organization_id = $organization and i.id = $id
        and i.status = 'RUNNING' for no key update
    )
    delete from ${table}_part p using running where p.organization_id = $organization
      and p.import_id = running.id and p.line = $line`)
  const advance = sql<
    never,
    { id: string; done: number; created: number; refused: number; reports: string }
  >(`
    update ${table} i set done = i.done + $done, created = i.created + $created, rejected = i.rejected + $refused,
      line_reports = case when jsonb_array_length(i.line_reports) < ${limits.csvImportReportedLines} then i.line_reports || $reports::jsonb else i.line_reports end,
      next_run_at = (select clock_timestamp()) + ${leaseDuration}, failures = 0,
      status = case when i.done + $done = i.total then 'DONE' else i.status end,
      ended_at = case when i.done + $done = i.total then now() end
    where i.organization_id = $organization and i.id = $id`)
  // index lead_import_ended or client_import_ended
  const deleteOld = crossTenantSql<{ deleted: number }>(
    'the retention of imports is the same for all organizations',
    `with gone as (
       delete from ${table} i where (i.organization_id, i.id) in (
         select organization_id, id from ${table}
         where ended_at < now() - interval '${limits.csvImportDays} days' limit 1000) returning 1)
     select count(*)::int as deleted from gone`,
  )
  return {
    insert,
    insertLines,
    select,
    lock,
    page,
    count,
    end,
    claim,
    release,
    selectPart,
    deletePart,
    advance,
    deleteOld,
  }
}

/** The imports of one kind. */
export class ImportStore {
  readonly #statements: ReturnType<typeof importStatements>

  constructor(table: ImportTable) {
    this.#statements = importStatements(table)
  }

  /** Inserts an import; undefined while another one of the organization is running. An import without lines is DONE. */
  insert(tx: Tx, input: NewImport): Promise<CsvImportRow | undefined> {
    const { id, fileName, createdBy, origin, columns, total } = input
    return tx.first(this.#statements.insert, {
      id,
      fileName,
      createdBy,
      origin: JSON.stringify(origin),
      columns: JSON.stringify(columns),
      total,
    })
  }

  /** Stores a part by the number of its first line. */
  async insertPart(tx: Tx, id: string, line: number, encrypted: string): Promise<void> {
    await tx.run(this.#statements.insertLines, { id, line, lines: encrypted })
  }

  /**
   * An import with its line reports in order. One statement reads both, so that the counts and the reports agree while a
   * worker imports.
   */
  async withLines(db: Db, id: string): Promise<{ row: CsvImportRow; lines: CsvImportLine[] } | undefined> {
    const found = await db.first(this.#statements.select, { id })
    if (!found) return undefined
    const { lines, ...row } = found
    return { row, lines: lines.slice(0, limits.csvImportReportedLines) }
  }

  /** An import, locked against workers until the transaction ends. */
  lock(tx: Tx, id: string): Promise<(CsvImportRow & { failures: number }) | undefined> {
    return tx.first(this.#statements.lock, { id })
  }

  /** A page of imports, latest first, and the total up to the last page. */
  async list(db: Db, limit: number, offset: number): Promise<{ rows: CsvImportRow[]; total: number }> {
    const [rows, counted] = await Promise.all([
      db.rows(this.#statements.page, { limit, offset }),
      db.one(this.#statements.count),
    ])
    return { rows, total: counted.n }
  }

  /** Ends an import that this transaction has locked, and deletes its remaining lines. */
  end(tx: Tx, id: string, status: 'STOPPED' | 'CANCELLED'): Promise<CsvImportRow> {
    return tx.one(this.#statements.end, { id, status })
  }

  /** Leases the import that has waited longest. */
  claim(database: Database): Promise<ClaimedImport | undefined> {
    return database.crossTenant.first(this.#statements.claim)
  }

  /** Ends the lease, so that any worker can continue after `seconds`. */
  async release(tx: Tx, id: string, seconds = 0, failures = 0): Promise<void> {
    await tx.run(this.#statements.release, { id, seconds, failures })
  }

  /** The next part after a line, encrypted. */
  nextPart(db: Db, id: string, after: number): Promise<{ line: number; lines: string } | undefined> {
    return db.first(this.#statements.selectPart, { id, after })
  }

  /** Deletes a part. Returns false if another worker deleted it or the import has ended. */
  async consumePart(tx: Tx, id: string, line: number): Promise<boolean> {
    return (await tx.run(this.#statements.deletePart, { id, line })) > 0
  }

  /** Records processed lines, and ends the import after the last one. */
  async advance(tx: Tx, id: string, { created, refused, reports }: ImportProgress): Promise<void> {
    await tx.run(this.#statements.advance, {
      id,
      done: created + refused,
      created,
      refused,
      reports: JSON.stringify(reports),
    })
  }

  /** Deletes a batch of imports beyond the retention and returns their number. */
  async deleteOld(database: Database): Promise<number> {
    return (await database.crossTenant.one(this.#statements.deleteOld)).deleted
  }
}
