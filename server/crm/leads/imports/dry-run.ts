import type { LeadImportDryRun, LeadImportLine } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import type { Services } from '#platform/http/operation.ts'
import { phoneCountryOf } from '../../settings/crm-settings.sql.ts'
import { type CsvColumns, type CsvFormat, parseLine } from '../csv/columns.ts'
import { type CsvFile, type CsvRecord, eachBatch } from '../csv/csv-reader.ts'
import { countDuplicates } from './import-duplicates.sql.ts'
import { duplicateCounter, lineReports, parseLines } from './import-lines.ts'

type Preview = LeadImportDryRun['preview'][number]
/** The number of lines in the preview. */
const previewLines = 5

/** Processes a file like an import, without storing anything. */
export async function dryRunImport(
  { database, cipher }: Pick<Services, 'database' | 'cipher'>,
  organizationId: string,
  file: CsvFile,
  { names, columns, delimiter }: CsvFormat,
): Promise<LeadImportDryRun> {
  const phoneCountry = await phoneCountryOf(database.of(organizationId))
  const lines: LeadImportLine[] = []
  const result: LeadImportDryRun = {
    encoding: file.encoding,
    delimiter,
    columns: names.map((column, at) => ({ column: column.trim(), field: columns.read[at] ?? null })),
    preview: [],
    created: 0,
    refused: 0,
    ignoredColumns: columns.ignored,
    lines,
  }
  const countInFile = duplicateCounter()
  await eachBatch(file, limits.leadImportBatch, async records => {
    const shown = records.slice(0, previewLines - result.preview.length)
    result.preview.push(...shown.map(record => previewOf(columns, record)))
    const parsed = parseLines(columns, records, { cipher, organizationId, phoneCountry })
    const { leads, refused } = parsed
    const counts = await database.transact(organizationId, tx => countDuplicates(tx, cipher, leads))
    const reports = lineReports(parsed, counts, countInFile).map(line => ({ ...line, id: null }))
    result.created += leads.length
    result.refused += refused.length
    lines.push(...reports.slice(0, limits.leadImportReportedLines - lines.length))
  })
  return result
}

function previewOf(columns: CsvColumns, { line, values }: CsvRecord): Preview {
  const { input } = parseLine(columns, values)
  return {
    line,
    values: Object.entries(input).map(([field, value]) => ({ field, value: String(value) })),
  }
}
