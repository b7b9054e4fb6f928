import type { LeadImport } from '#contract/crm/lead-imports.ts'
import type { LeadImportRow } from './lead-import.sql.ts'

/** An import as it is shown. */
export function showImport({ columns, ...row }: LeadImportRow): LeadImport {
  return { ...row, ignoredColumns: columns.ignored }
}
