import type { CsvImport } from '#contract/crm/csv-imports.ts'
import type { CsvImportRow } from './import-store.sql.ts'

/** Converts a row to its reply. */
export function showImport({ columns, ...row }: CsvImportRow): CsvImport {
  return { ...row, ignoredColumns: columns.ignored }
}
