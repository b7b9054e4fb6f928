import { importLeads } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { AlternateReply, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { type CsvFormat, columnsOf, type Mapping } from '../csv/columns.ts'
import { type CsvFile, eachBatch, eachRecord, encodingOf, refuse } from '../csv/read.ts'
import { mayReadNotes } from '../lead.json.ts'
import { showImport } from './lead-import.json.ts'
import { insertImport, insertPart } from './lead-import.sql.ts'
import { hidePart } from './part.ts'
import { receiveCsv } from './receive.ts'
import { tryOut } from './trial.ts'

/**
 * The file is read twice: what cannot be read as a whole is refused before anything is kept. Then its lines are kept in
 * parts, and a worker makes leads of them: see work.ts.
 */
export const begin = workflow(importLeads, async ({ caller, origin, form, services, transact }) => {
  const { file: incoming, fileName, isDryRun, mapping } = await receiveCsv(form, services.files)
  try {
    const file = { read: () => incoming.read(), encoding: await encodingOf(incoming.read()) }
    const { total, ...format } = await examined(file, caller, mapping)
    const { columns } = format
    if (isDryRun) return new AlternateReply(await tryOut(services, caller.organizationId, file, format))
    const place = { organizationId: caller.organizationId, id: newId() }
    const given = { id: place.id, fileName, createdBy: caller.personId, origin, columns, total }
    return await transact(
      async tx => {
        const begun = (await insertImport(tx, given)) ?? fail('LEAD_IMPORT_RUNNING')
        await eachBatch(file, limits.leadImportAtOnce, records =>
          insertPart(tx, place.id, records[0]!.line, hidePart(services.cipher, place, records)),
        )
        return showImport(begun)
      },
      { subject: place.id, detail: { lines: total } },
    )
  } finally {
    await incoming.discard()
  }
})

/** Reads the file to its end without keeping anything. Refuses CSV_NOT_READABLE. */
async function examined(
  file: CsvFile,
  caller: Caller,
  mapping: Mapping,
): Promise<CsvFormat & { total: number }> {
  let format: CsvFormat | undefined
  let total = 0
  await eachRecord(file, ({ values }, delimiter) => {
    if (format) {
      if (++total > limits.leadImportLines)
        refuse('maxLines', `has more than ${limits.leadImportLines} lines`)
      return
    }
    const understood = columnsOf(values, name => name === 'notes' && !mayReadNotes(caller), mapping)
    if (typeof understood === 'string') refuse('columns', understood)
    format = { names: values, columns: understood, delimiter }
  })
  return { ...(format ?? refuse('empty', 'is empty')), total }
}
