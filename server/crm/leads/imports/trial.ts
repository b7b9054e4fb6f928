import type { ImportedLine, ImportTrial } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import type { Services } from '#platform/http/operation.ts'
import { phoneCountryOf } from '../../settings/crm-settings.sql.ts'
import { type Columns, type CsvFormat, readLine } from '../csv/columns.ts'
import { type CsvFile, type CsvRecord, eachBatch } from '../csv/read.ts'
import { countDuplicates } from './import-duplicates.sql.ts'
import { countSame, toldOf, understand } from './lines.ts'

type Preview = ImportTrial['preview'][number]
/** The first lines that are shown as they would be read. */
const previewed = 5

/** Looks at each line of a file as an import does, and keeps nothing. */
export async function tryOut(
  { database, cipher }: Pick<Services, 'database' | 'cipher'>,
  organizationId: string,
  file: CsvFile,
  { names, columns, delimiter }: CsvFormat,
): Promise<ImportTrial> {
  const phoneCountry = await phoneCountryOf(database.of(organizationId))
  const lines: ImportedLine[] = []
  const trial: ImportTrial = {
    encoding: file.encoding,
    delimiter,
    columns: names.map((column, at) => ({ column: column.trim(), field: columns.read[at] ?? null })),
    preview: [],
    created: 0,
    refused: 0,
    ignoredColumns: columns.ignored,
    lines,
  }
  const sameInFile = countSame()
  await eachBatch(file, limits.leadImportAtOnce, async records => {
    const shown = records.slice(0, previewed - trial.preview.length)
    trial.preview.push(...shown.map(record => previewOf(columns, record)))
    const understood = understand(columns, records, { cipher, organizationId, phoneCountry })
    const { leads, refused } = understood
    const counts = await database.transact(organizationId, tx => countDuplicates(tx, cipher, leads))
    const told = toldOf(understood, counts, sameInFile).map(line => ({ ...line, id: null }))
    trial.created += leads.length
    trial.refused += refused.length
    lines.push(...told.slice(0, limits.leadImportTold - lines.length))
  })
  return trial
}

function previewOf(columns: Columns, { line, values }: CsvRecord): Preview {
  const { given } = readLine(columns, values)
  return {
    line,
    values: Object.entries(given).map(([field, value]) => ({ field, value: String(value) })),
  }
}
