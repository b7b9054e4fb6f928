import type { ViewList } from '#contract/identity/views.ts'
import { limits } from '#contract/limits.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'

/** A stored view, with the name of its owner. */
export type ViewRow = {
  id: string
  list: ViewList
  name: string
  filters: Record<string, string | string[]>
  owner_id: string
  owner_name: string
  is_shared: boolean
  created_at: string
  updated_at: string
}

const columns = `v.id, v.list, v.name, v.filters, v.owner_id, m.name as owner_name, v.is_shared, v.created_at, v.updated_at`
const joined = 'join membership m on m.organization_id = $organization and m.person_id = v.owner_id'

/** The own and the shared views of a list, by name: indexes saved_view_of and saved_view_shared. */
export const listedViews = sql<ViewRow, { list: string; personId: string }>(`
  select ${columns} from (
    select o.* from saved_view o
    where o.organization_id = $organization and o.owner_id = $personId and o.list = $list and not o.is_shared
    union all
    select s.* from saved_view s where s.organization_id = $organization and s.list = $list and s.is_shared) v
  ${joined}
  order by lower(v.name), v.id limit ${limits.viewsPerPerson + limits.sharedViews}`)

/** A view that the person owns or that is shared, locked until the transaction ends. */
export const lockView = sql<ViewRow, { id: string; personId: string }>(`
  select ${columns} from saved_view v ${joined}
  where v.organization_id = $organization and v.id = $id and (v.is_shared or v.owner_id = $personId)
  for no key update of v`)

/** The numbers of shared views and of those that are the person's alone: indexes saved_view_shared and saved_view_of. */
export const countViews = sql<{ shared: number; own: number }, { personId: string }>(`
  select (select count(*)::int from saved_view s where s.organization_id = $organization and s.is_shared) as shared,
    (select count(*)::int from saved_view o
     where o.organization_id = $organization and o.owner_id = $personId and not o.is_shared) as own`)

type NewView = { id: string; list: string; name: string; filters: string; ownerId: string; isShared: boolean }
export const insertView = sql<ViewRow, NewView>(`
  with v as (
    ${insertInto('saved_view', 'id, list, name, filters::jsonb, owner_id, is_shared')}
    returning *)
  select ${columns} from v ${joined}`)

/** Updates a view that this transaction has locked. */
export const setView = sql<ViewRow, { id: string; name: string; filters: string; isShared: boolean }>(`
  with v as (
    update saved_view w set name = $name, filters = $filters::jsonb, is_shared = $isShared, updated_at = now()
    where w.organization_id = $organization and w.id = $id
    returning w.*)
  select ${columns} from v ${joined}`)

export const removeView = sql<never, { id: string }>(
  'delete from saved_view v where v.organization_id = $organization and v.id = $id',
)

/** Removes the views of a person that nobody else sees. */
export const removeOwnViews = sql<never, { personId: string }>(
  'delete from saved_view v where v.organization_id = $organization and v.owner_id = $personId and not v.is_shared',
)
