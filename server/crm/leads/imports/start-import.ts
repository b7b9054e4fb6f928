import { importLeads } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { AlternateReply, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { type ColumnMapping, type CsvFormat, parseHeader } from '../csv/columns.ts'
import { type CsvFile, detectEncoding, eachBatch, eachRecord, rejectFile } from '../csv/csv-reader.ts'
import { mayReadNotes } from '../lead.json.ts'
import { dryRunImport } from './dry-run.ts'
import { encryptPart } from './import-part.ts'
import { showImport } from './lead-import.json.ts'
import { insertImport, insertPart } from './lead-import.sql.ts'
import { receiveCsv } from './receive-csv.ts'

/**
 * Reads the file twice: first to refuse an invalid file before anything is stored, then to store its lines in parts. A worker
 * creates leads from the parts: see import-worker.ts.
 */
export const startImport = workflow(importLeads, async ({ caller, origin, form, services, transact }) => {
  const { file: incoming, fileName, isDryRun, mapping } = await receiveCsv(form, services.files)
  try {
    const file = { read: () => incoming.read(), encoding: await detectEncoding(incoming.read()) }
    const { total, ...format } = await inspectFile(file, caller, mapping)
    const { columns } = format
    if (isDryRun) return new AlternateReply(await dryRunImport(services, caller.organizationId, file, format))
    const importKey = { organizationId: caller.organizationId, id: newId() }
    const input = { id: importKey.id, fileName, createdBy: caller.personId, origin, columns, total }
    return await transact(
      async tx => {
        const started = (await insertImport(tx, input)) ?? fail('LEAD_IMPORT_RUNNING')
        await eachBatch(file, limits.leadImportBatch, records =>
          insertPart(tx, importKey.id, records[0]!.line, encryptPart(services.cipher, importKey, records)),
        )
        return showImport(started)
      },
      { subject: importKey.id, detail: { lines: total } },
    )
  } finally {
    await incoming.discard()
  }
})

/** Reads the file to its end and counts its lines. Refuses CSV_NOT_READABLE. */
async function inspectFile(
  file: CsvFile,
  caller: Caller,
  mapping: ColumnMapping,
): Promise<CsvFormat & { total: number }> {
  let format: CsvFormat | undefined
  let total = 0
  await eachRecord(file, ({ values }, delimiter) => {
    if (format) {
      if (++total > limits.leadImportLines)
        rejectFile('maxLines', `has more than ${limits.leadImportLines} lines`)
      return
    }
    const header = parseHeader(values, name => name === 'notes' && !mayReadNotes(caller), mapping)
    if (typeof header === 'string') rejectFile('columns', header)
    format = { names: values, columns: header, delimiter }
  })
  return { ...(format ?? rejectFile('empty', 'is empty')), total }
}
