import type { ImportedLine } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import type { Incoming } from '#platform/outside/files.ts'
import type { World } from '#platform/serve.ts'
import { phoneCountryOf } from '../../settings/store.ts'
import type { Columns } from '../csv/columns.ts'
import { eachBatch } from '../csv/read.ts'
import { countDuplicates } from './duplicates/store.ts'
import { countSame, toldOf, understand } from './lines.ts'

/** What would come of an import. */
type Trial = { created: number; refused: number; ignoredColumns: string[]; lines: ImportedLine[] }

/** Looks at each line of a file as an import does, and keeps nothing. */
export async function tryOut(
  { database, cipher }: Pick<World, 'database' | 'cipher'>,
  organizationId: string,
  file: Incoming,
  columns: Columns,
): Promise<Trial> {
  const phoneCountry = await phoneCountryOf(database.of(organizationId))
  const trial: Trial = { created: 0, refused: 0, ignoredColumns: columns.ignored, lines: [] }
  const sameInFile = countSame()
  await eachBatch(file.read(), limits.leadImportAtOnce, async records => {
    const understood = understand(columns, records, { cipher, organizationId, phoneCountry })
    const { leads, refused } = understood
    const counts = await database.transact(organizationId, tx => countDuplicates(tx, cipher, leads))
    const told = toldOf(understood, counts, sameInFile).map(line => ({ ...line, id: null }))
    trial.created += leads.length
    trial.refused += refused.length
    trial.lines.push(...told.slice(0, limits.leadImportTold - trial.lines.length))
  })
  return trial
}
