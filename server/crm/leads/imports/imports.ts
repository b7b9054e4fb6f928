import { cancelLeadImport, listLeadImports, readLeadImport } from '#contract/crm/lead-imports.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { showImport } from './lead-import.json.ts'
import { endImport, importsOf, importWithLines, lockImport } from './lead-import.sql.ts'

export const list = query(listLeadImports, async ({ db, query }) => {
  const { limit = 20, offset = 0 } = query
  const { rows, total } = await importsOf(db, limit, offset)
  return { items: rows.map(showImport), total, limit, offset }
})

export const read = query(readLeadImport, async ({ db, params: { id } }) => {
  const { row, lines } = await importWithLines(db, id)
  return { ...showImport(row), lines }
})

/** A part that a worker is importing is either completed before the cancellation or not imported. */
export const cancel = command(cancelLeadImport, async ({ tx, params: { id }, audit }) => {
  const { status } = await lockImport(tx, id)
  if (status !== 'RUNNING') fail('LEAD_IMPORT_ENDED')
  audit(id, ['status'])
  return showImport(await endImport(tx, id, 'CANCELLED'))
})
