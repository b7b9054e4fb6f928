import { type Overview, readOverview } from '#contract/identity/overview.ts'
import { areas } from './areas.ts'
import { query } from './platform/http/operation.ts'

/** Each area counts its own rows in one or two statements, all at the same time (HOM-1). */
export const overview = query(readOverview, async ({ db, caller, services }): Promise<Overview> => {
  const { crossTenant } = services.database
  const parts = await Promise.all(areas.map(area => area.overview?.(db, caller, crossTenant) ?? {}))
  const merged: Record<string, unknown> = {}
  for (const part of parts) {
    for (const [name, counts] of Object.entries(part)) {
      const earlier = merged[name]
      merged[name] = typeof earlier === 'object' ? Object.assign(earlier as object, counts) : counts
    }
  }
  return merged
})
