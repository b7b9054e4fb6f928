import type { AssetOrder, AssetType } from '#contract/studio/assets.ts'
import type { Db } from '#platform/data/database.ts'
import type { Caller } from '#platform/http/caller.ts'
import { listPage } from '../assets/listing/asset-list.sql.ts'
import { listFiltersOf } from '../assets/listing/list-fragments.ts'

/** Whom a list is for, and the stretch of it. */
type Page = { types: readonly AssetType[]; orderBy: AssetOrder; limit: number; offset: number }

/** The ids of published assets that the caller may read: a stretch of the list that everybody sees. */
export async function offeredIds(db: Db, caller: Caller, page: Page): Promise<string[]> {
  const { types, orderBy, limit, offset } = page
  const all = listFiltersOf(caller, { status: 'PUBLISHED' })
  const [person, isAdministrator, departments, workspaces, groups, places, statuses, kinds, open, closed] =
    all
  const isOffered = (_: unknown, at: number) => types.includes(kinds[at]!)
  const reader = [person, isAdministrator, departments, workspaces, groups] as const
  const cells = [places.filter(isOffered), statuses.filter(isOffered), kinds.filter(isOffered)] as const
  const rows = await listPage(db, orderBy, ...reader, ...cells, open, closed, limit, offset)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}
