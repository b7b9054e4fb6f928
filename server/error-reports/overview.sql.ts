import type { Overview } from '#contract/identity/overview.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstId } from '#platform/ids.ts'
import { applicationNames } from '#server/integrations/index.ts'

const dayMs = 86_400_000

// the primary keys of error_group (from the first id on) and error_group_count
const counts = sql<
  { fresh: number; unresolved: number },
  { applicationIds: string[]; firstGroupId: string }
>(`
  select
    (select count(*) from (
       select from error_group g where g.organization_id = $organization and g.id >= $firstGroupId
         and g.state = 'UNRESOLVED'
         and g.application_id || '' = any($applicationIds::text[])
       limit ${limits.overviewCount}) n) as fresh,
    (select coalesce(sum(c.count), 0)::int from error_group_count c
     where c.organization_id = $organization and c.application_id = any($applicationIds::text[])
       and c.state = 'UNRESOLVED') as unresolved`)

/** The part of this area in the overview of a person, without the errors of deleted applications (HOM-2). */
export async function errorOverview(db: Db, caller: Caller): Promise<Pick<Overview, 'errors'>> {
  if (!caller.modules.has('integrations') || !caller.permissions.has('ERROR_REPORTS_MANAGE')) return {}
  const applicationIds = [...(await applicationNames(db)).keys()]
  const { fresh, unresolved } = await db.one(counts, {
    applicationIds,
    firstGroupId: firstId(nowMs() - dayMs),
  })
  return { errors: { new: fresh, unresolved } }
}
