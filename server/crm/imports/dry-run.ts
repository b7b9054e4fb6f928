import type { CsvImportDryRun } from '#contract/crm/csv-imports.ts'
import { limits } from '#contract/limits.ts'
import type { CsvColumns, CsvFormat } from './csv-columns.ts'
import { type CsvFile, type CsvRecord, eachBatch } from './csv-reader.ts'
import type { ImportKind, ImportReading } from './import-kind.ts'
import { decideLines, duplicateCounter, parseLines } from './import-lines.ts'

type Preview = CsvImportDryRun['preview'][number]
/** The number of lines in the preview. */
const previewLines = 5

/** Processes a file like an import, without storing anything. */
export async function dryRunImport<Item extends { id: string }>(
  kind: ImportKind<Item>,
  services: ImportReading,
  organizationId: string,
  file: CsvFile,
  { names, columns, delimiter }: CsvFormat,
): Promise<CsvImportDryRun> {
  const { database, cipher } = services
  const itemOf = await kind.itemMaker(services, organizationId)
  const result: CsvImportDryRun = {
    encoding: file.encoding,
    delimiter,
    columns: names.map((column, at) => ({ column: column.trim(), field: columns.read[at] ?? null })),
    preview: [],
    created: 0,
    refused: 0,
    ignoredColumns: columns.ignored,
    lines: [],
  }
  const countInFile = duplicateCounter(kind)
  await eachBatch(file, limits.csvImportBatch, async records => {
    const shown = records.slice(0, previewLines - result.preview.length)
    result.preview.push(...shown.map(record => previewOf(kind, columns, record)))
    const parsed = parseLines(kind, columns, records, itemOf)
    const counts = await database.transact(organizationId, tx => kind.countStored(tx, cipher, parsed.items))
    const { created, refused, reports } = decideLines(kind, parsed, counts, countInFile)
    result.created += created.length
    result.refused += refused
    const shownReports = reports.slice(0, limits.csvImportReportedLines - result.lines.length)
    result.lines.push(...shownReports.map(line => ({ ...line, id: null })))
  })
  return result
}

function previewOf<Item extends { id: string }>(
  kind: ImportKind<Item>,
  columns: CsvColumns,
  { line, values }: CsvRecord,
): Preview {
  const { input } = kind.parseLine(columns, values)
  return {
    line,
    values: Object.entries(input).map(([field, value]) => ({ field, value: String(value) })),
  }
}
