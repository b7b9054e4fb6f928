import type { Member } from '#contract/identity/organization.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'

export type MemberRole = Member['role']

const member = `
  select m.person_id as "personId", m.name, m.email, m.role, m.custom_role_id as "roleId", r.name as "roleName",
    m.created_at as "joinedAt"
  from membership m left join role r on r.organization_id = $organization and r.id = m.custom_role_id
  where m.organization_id = $organization and m.removed_at is null`

export const memberById = sql<Member, { personId: string }>(`${member} and m.person_id = $personId`)

/** Current and former members by their ids: primary key of membership. */
export const namesOfPeople = sql<{ id: string; name: string; isMember: boolean }, { ids: string[] }>(`
  select m.person_id as id, m.name, m.removed_at is null as "isMember"
  from membership m where m.organization_id = $organization and m.person_id = any($ids::text[])
  order by m.person_id`)

type Filters = { search: string | null; role: string | null; roleId: string | null }
const filters = {
  search: 'm.search like lower($search)',
  role: 'm.role = $role',
  roleId: 'm.custom_role_id = $roleId',
}

/** Members by name: index membership_listed, membership_by_role or membership_search. */
export const listedMembers = withFilters<Member, Filters & { limit: number; offset: number }>(
  filters,
  condition => `${member} and ${condition} order by lower(m.name), m.person_id limit $limit offset $offset`,
)
export const countedMembers = withFilters<{ total: number }, Filters>(
  filters,
  condition => `select count(*) as total from membership m
    where m.organization_id = $organization and m.removed_at is null and ${condition}`,
)

type LockedMember = {
  person_id: string
  role: MemberRole
  custom_role_id: string | null
  permissions: string[] | null
}

/**
 * Locks a member and all owners in a fixed order, so that two owners who demote each other run one after the
 * other, and the second sees the first change.
 */
export const lockMemberAndOwners = sql<LockedMember, { personId: string }>(`
  select m.person_id, m.role, m.custom_role_id, r.permissions
  from membership m left join role r on r.organization_id = $organization and r.id = m.custom_role_id
  where m.organization_id = $organization and m.removed_at is null and (m.person_id = $personId or m.role = 'OWNER')
  order by m.person_id
  for no key update of m
`)

export const setRole = sql<never, { personId: string; role: MemberRole; roleId: string | null }>(`
  update membership m set role = $role, custom_role_id = $roleId
  where m.organization_id = $organization and m.person_id = $personId
`)

/** A former member has no role, so that an unused role can be deleted. */
export const markRemoved = sql<never, { personId: string }>(`
  update membership m set removed_at = now(), role = 'MEMBER', custom_role_id = null
  where m.organization_id = $organization and m.person_id = $personId
`)
export const deleteUnitMemberships = sql<never, { personId: string }>(`
  delete from unit_member u where u.organization_id = $organization and u.person_id = $personId
`)

/** Creates a membership, or restores a former one. No row if the person is a member. */
export const insertMembership = sql<
  { id: string },
  { personId: string; role: MemberRole; roleId: string | null; name: string; email: string }
>(`
  insert into membership as m (organization_id, person_id, role, custom_role_id, name, email)
  values ($organization, $personId, $role, $roleId, $name, $email)
  on conflict (organization_id, person_id) do update
    set role = excluded.role, custom_role_id = excluded.custom_role_id, name = excluded.name,
      email = excluded.email, created_at = now(), removed_at = null
    where m.organization_id = $organization and m.removed_at is not null
  returning m.person_id as id
`)

export const memberWithEmail = sql<{ id: string }, { email: string }>(`
  select m.person_id as id from person p
  join membership m on m.organization_id = $organization and m.person_id = p.id and m.removed_at is null
  where p.email = $email
`)

/** Prevents the removal of this member until the transaction ends. */
export const shareLockMember = sql<{ id: string }, { personId: string }>(`
  select m.person_id as id from membership m
  where m.organization_id = $organization and m.person_id = $personId and m.removed_at is null for share
`)

/** Every process reads it to invalidate its cache of this person, or of everybody. */
export const insertAccessChange = sql<never, { id: string; personId: string | null }>(`
  insert into access_change (organization_id, id, person_id) values ($organization, $id, $personId)
`)
