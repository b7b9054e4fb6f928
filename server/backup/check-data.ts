import type { DataCheck } from '../area.ts'
import { backgroundWork } from '../background-work.ts'
import { allOrganizationIds } from '../identity/jobs.ts'
import type { Database } from '../platform/data/database.ts'
import { referencedObjects } from '../platform/data/stored-objects.ts'

/** The result of a check of a whole data set. */
export type DataReport = {
  /** The number of organizations, and of the entries that the checks count, by name. */
  counts: Record<string, number>
  /** One sentence for each fault; none: the data is whole. */
  faults: string[]
}

/** Runs the checks of the areas for each organization, and checks that each file that rows refer to is among `files`. */
export async function checkData(database: Database, files: ReadonlySet<string>): Promise<DataReport> {
  const checks = backgroundWork.flatMap(({ dataChecks }): readonly DataCheck[] => dataChecks ?? [])
  const organizationIds = await allOrganizationIds(database)
  const counts: DataReport['counts'] = { organizations: organizationIds.length }
  for (const { counts: name } of checks) if (name !== undefined) counts[name] = 0
  const faults: string[] = []
  for (const id of organizationIds)
    for (const { counts: name, run } of checks) {
      const { count = 0, faults: found } = await run(database.of(id))
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + count
      faults.push(...found)
    }
  const missing = (await referencedObjects(database)).filter(sha256 => !files.has(sha256))
  if (missing.length > 0) faults.push(`${missing.length} files are missing, the first one is ${missing[0]}.`)
  return { counts, faults }
}
