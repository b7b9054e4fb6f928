import type { listMemberUnits } from '#contract/identity/organization.ts'
import type { Unit, UnitKind, UnitMember } from '#contract/identity/units.ts'
import type { Reply } from '#contract/operation.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'

const fields = 'id, name, created_at as "createdAt", updated_at as "updatedAt"'
const ofKind = 'from unit u where u.organization_id = $organization and u.kind = $kind'

type Listed = { kind: UnitKind; search: string | null }
const filters = { search: 'lower(u.name) like lower($search)' }
/** Units of one kind by name: index unit_name. */
export const listedUnits = withFilters<Unit, Listed & { limit: number; offset: number }>(
  filters,
  condition =>
    `select ${fields} ${ofKind} and ${condition} order by lower(u.name), u.id limit $limit offset $offset`,
)
export const countedUnits = withFilters<{ total: number }, Listed>(
  filters,
  condition => `select count(*) as total ${ofKind} and ${condition}`,
)

export const unitById = sql<Unit, { kind: UnitKind; id: string }>(`select ${fields} ${ofKind} and u.id = $id`)
export const lockUnit = sql<Unit, { kind: UnitKind; id: string }>(
  `select ${fields} ${ofKind} and u.id = $id for no key update`,
)
/** Prevents the deletion of this unit until the transaction ends. */
export const shareLockUnit = sql<Unit, { kind: UnitKind; id: string }>(
  `select ${fields} ${ofKind} and u.id = $id for key share`,
)

/** No row if the name is taken. */
export const insertUnit = sql<Unit, { id: string; kind: UnitKind; name: string }>(`
  ${insertInto('unit', 'id, kind, name')}
  on conflict (organization_id, kind, lower(name)) do nothing
  returning ${fields}
`)
/** Violates unit_name if the name is taken. */
export const setUnitName = sql<Unit, { id: string; name: string }>(`
  update unit u set name = $name, updated_at = now() where u.organization_id = $organization and u.id = $id
  returning ${fields}
`)
/** The foreign key removes its members. */
export const removeUnit = sql<never, { id: string }>(`
  delete from unit u where u.organization_id = $organization and u.id = $id
`)

/** Everybody, without a limit: who is left out would keep stale screens. Index unit_member_pkey. */
export const memberIdsOfUnit = sql<{ id: string }, { unitId: string }>(`
  select u.person_id as id from unit_member u
  where u.organization_id = $organization and u.unit_id = $unitId
`)

export const listedUnitMembers = sql<UnitMember, { unitId: string; limit: number; offset: number }>(`
  select m.person_id as "personId", m.name, m.email, u.created_at as "addedAt"
  from unit_member u join membership m on m.organization_id = $organization and m.person_id = u.person_id
  where u.organization_id = $organization and u.unit_id = $unitId
  order by lower(m.name), m.person_id limit $limit offset $offset
`)
export const countedUnitMembers = sql<{ total: number }, { unitId: string }>(`
  select count(*) as total from unit_member u where u.organization_id = $organization and u.unit_id = $unitId
`)
export const insertUnitMember = sql<never, { unitId: string; personId: string; kind: UnitKind }>(`
  ${insertInto('unit_member', 'unit_id, person_id, kind')}
  on conflict (organization_id, unit_id, person_id) do nothing
`)
export const removeUnitMember = sql<never, { unitId: string; personId: string }>(`
  delete from unit_member u where u.organization_id = $organization and u.unit_id = $unitId
    and u.person_id = $personId
`)

type UnitOfMember = Reply<typeof listMemberUnits>['items'][number]
/** Index unit_member_person. */
export const unitsOfMember = sql<UnitOfMember, { personId: string; limit: number; offset: number }>(`
  select u.id, u.kind, u.name, m.created_at as "addedAt"
  from unit_member m join unit u on u.organization_id = $organization and u.id = m.unit_id
  where m.organization_id = $organization and m.person_id = $personId
  order by u.kind, lower(u.name), u.id limit $limit offset $offset
`)
export const countedUnitsOfMember = sql<{ total: number }, { personId: string }>(`
  select count(*) as total from unit_member m where m.organization_id = $organization and m.person_id = $personId
`)
