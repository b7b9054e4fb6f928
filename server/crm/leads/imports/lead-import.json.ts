import type { LeadImport } from '#contract/crm/lead-imports.ts'
import type { LeadImportRow } from './lead-import.sql.ts'

/** Converts a row to its reply. */
export function showImport({ columns, ...row }: LeadImportRow): LeadImport {
  return { ...row, ignoredColumns: columns.ignored }
}
