import type {
  cancelLeadImport,
  importLeads,
  listLeadImports,
  readLeadImport,
} from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { AlternateReply, command, query, type ServedOperation, workflow } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import { firstOf } from '#platform/required.ts'
import { type ColumnMapping, type CsvFormat, parseHeader } from './csv-columns.ts'
import { showImport } from './csv-import.json.ts'
import { type CsvFile, detectEncoding, eachBatch, eachRecord, rejectFile } from './csv-reader.ts'
import { dryRunImport } from './dry-run.ts'
import type { ImportKind } from './import-kind.ts'
import { encryptPart } from './import-part.ts'
import { receiveCsv } from './receive-csv.ts'

/** The operations on the imports of one kind, in the contract. */
type ImportContract = {
  start: typeof importLeads
  list: typeof listLeadImports
  read: typeof readLeadImport
  cancel: typeof cancelLeadImport
}

/** The operations on the imports of one kind. */
export function importOperations<Item extends { id: string }>(
  kind: ImportKind<Item>,
  contract: ImportContract,
): ServedOperation[] {
  const { store, errors } = kind
  return [
    startImport(kind, contract.start),
    query(contract.list, async ({ db, query }) => {
      const { limit, offset } = pageOf(query)
      const { rows, total } = await store.list(db, limit, offset)
      return { items: rows.map(showImport), total, limit, offset }
    }),
    query(contract.read, async ({ db, params: { id } }) => {
      const { row, lines } = (await store.withLines(db, id)) ?? fail(errors.notFound)
      return { ...showImport(row), lines }
    }),
    // a part that a worker is importing is either completed before the cancellation or not imported
    command(contract.cancel, async ({ tx, params: { id }, audit }) => {
      const { status } = (await store.lock(tx, id)) ?? fail(errors.notFound)
      if (status !== 'RUNNING') fail(errors.ended)
      audit(id, ['status'])
      return showImport(await store.end(tx, id, 'CANCELLED'))
    }),
  ]
}

/**
 * Reads the file twice: first to refuse an invalid file before anything is stored, then to store its lines in parts. A worker
 * creates records from the parts: see import-worker.ts.
 */
function startImport<Item extends { id: string }>(
  kind: ImportKind<Item>,
  contract: ImportContract['start'],
): ServedOperation {
  return workflow(contract, async ({ caller, origin, form, services, transact }) => {
    const { fields } = kind.columnNames.known
    const { file: incoming, fileName, isDryRun, mapping } = await receiveCsv(form, services.files, fields)
    try {
      const file = { read: () => incoming.read(), encoding: await detectEncoding(incoming.read()) }
      const { total, ...format } = await inspectFile(kind, file, caller, mapping)
      const { organizationId } = caller
      if (isDryRun)
        return new AlternateReply(await dryRunImport(kind, services, organizationId, file, format))
      const id = newId()
      const importKey = { purpose: kind.purpose, organizationId, id }
      const input = { id, fileName, createdBy: caller.personId, origin, columns: format.columns, total }
      return await transact(
        async tx => {
          const started = (await kind.store.insert(tx, input)) ?? fail(kind.errors.running)
          await eachBatch(file, limits.csvImportBatch, records =>
            kind.store.insertPart(
              tx,
              id,
              firstOf(records).line,
              encryptPart(services.cipher, importKey, records),
            ),
          )
          return showImport(started)
        },
        { subject: id, detail: { lines: total } },
      )
    } finally {
      await incoming.discard()
    }
  })
}

/** Reads the file to its end and counts its lines. Refuses CSV_NOT_READABLE. */
async function inspectFile<Item extends { id: string }>(
  kind: ImportKind<Item>,
  file: CsvFile,
  caller: Caller,
  mapping: ColumnMapping,
): Promise<CsvFormat & { total: number }> {
  let format: CsvFormat | undefined
  let total = 0
  await eachRecord(file, ({ values }, delimiter) => {
    if (format) {
      if (++total > limits.csvImportLines)
        rejectFile('maxLines', `has more than ${limits.csvImportLines} lines`)
      return
    }
    const header = parseHeader(kind.columnNames, values, field => kind.isForbidden(caller, field), mapping)
    if (typeof header === 'string') rejectFile('columns', header)
    format = { names: values, columns: header, delimiter }
  })
  return { ...(format ?? rejectFile('empty', 'is empty')), total }
}
