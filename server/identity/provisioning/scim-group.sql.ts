import type { UnitKind } from '#contract/identity/units.ts'
import { sql } from '#platform/data/statement.ts'

export type ScimGroupRow = {
  id: string
  kind: UnitKind
  name: string
  external_id: string | null
  created_at: string
  updated_at: string
}

const group = `select u.id, u.kind, u.name, u.external_id, u.created_at, u.updated_at
  from unit u where u.organization_id = $organization`

/** Primary key of unit. */
export const listedGroups = sql<ScimGroupRow, { limit: number; offset: number }>(
  `${group} order by u.id limit $limit offset $offset`,
)
export const countedGroups = sql<{ total: number }>(
  'select count(*)::int as total from unit u where u.organization_id = $organization',
)
/** Index unit_name: at most one unit of each kind. */
export const groupsByName = sql<ScimGroupRow, { name: string }>(
  `${group} and u.kind in ('DEPARTMENT', 'WORKSPACE', 'GROUP') and lower(u.name) = lower($name)
    order by u.id limit 3`,
)
/** Index unit_external. */
export const groupByExternalId = sql<ScimGroupRow, { externalId: string }>(
  `${group} and u.external_id = $externalId`,
)
export const groupById = sql<ScimGroupRow, { id: string }>(`${group} and u.id = $id`)
export const lockGroup = sql<ScimGroupRow, { id: string }>(`${group} and u.id = $id for no key update`)

/** Violates unit_external if another unit has the external id. */
export const setGroupExternalId = sql<never, { id: string; externalId: string | null }>(
  `update unit u set external_id = $externalId, updated_at = now()
    where u.organization_id = $organization and u.id = $id`,
)

export type GroupMemberRow = { group_id: string; id: string; name: string }
/** The members of some units, with the former members who keep them: primary key of unit_member, index provisioned_user_units. */
export const membersOfGroups = sql<GroupMemberRow, { groupIds: string[] }>(`
  select u.unit_id as group_id, m.person_id as id, m.name from unit_member u
  join membership m on m.organization_id = $organization and m.person_id = u.person_id
  where u.organization_id = $organization and u.unit_id = any ($groupIds::text[])
  union all
  select g.id, m.person_id, m.name from unnest($groupIds::text[]) g (id)
  join provisioned_user p on p.organization_id = $organization and p.retained_unit_ids @> array[g.id]
  join membership m on m.organization_id = $organization and m.person_id = p.person_id
  order by 1, 2
`)

export type GroupCandidateRow = { id: string; isMember: boolean }
/** The users among some ids, locked in the order of their ids. */
export const lockUsers = sql<GroupCandidateRow, { ids: string[] }>(`
  select m.person_id as id, m.removed_at is null as "isMember" from membership m
  where m.organization_id = $organization and m.person_id = any ($ids::text[])
    and (m.removed_at is null or exists (
      select from provisioned_user p where p.organization_id = $organization and p.person_id = m.person_id))
  order by m.person_id for share of m
`)
export const insertGroupMembers = sql<{ id: string }, { unitId: string; kind: UnitKind; ids: string[] }>(`
  insert into unit_member (organization_id, unit_id, person_id, kind)
  select $organization, $unitId, id, $kind from unnest($ids::text[]) id order by id
  on conflict (organization_id, unit_id, person_id) do nothing
  returning person_id as id
`)
export const deleteGroupMembers = sql<{ id: string }, { unitId: string; ids: string[] }>(`
  delete from unit_member u where u.organization_id = $organization and u.unit_id = $unitId
    and u.person_id = any ($ids::text[])
  returning u.person_id as id
`)
/** Former members keep the unit for their return. */
export const keepUnit = sql<{ id: string }, { unitId: string; ids: string[] }>(`
  update provisioned_user p set retained_unit_ids = p.retained_unit_ids || $unitId
  where p.organization_id = $organization and p.person_id = any ($ids::text[])
    and not p.retained_unit_ids @> array[$unitId]
  returning p.person_id as id
`)
export const dropRetainedUnit = sql<{ id: string }, { unitId: string; ids: string[] }>(`
  update provisioned_user p set retained_unit_ids = array_remove(p.retained_unit_ids, $unitId)
  where p.organization_id = $organization and p.person_id = any ($ids::text[])
    and p.retained_unit_ids @> array[$unitId]
  returning p.person_id as id
`)
