import { sql } from '#platform/data/statement.ts'
import type { MemberRole } from '../members/member.sql.ts'

export type ScimUserRow = {
  id: string
  email: string
  name: string
  given_name: string | null
  family_name: string | null
  external_id: string | null
  is_member: boolean
  /** Also true for a person who has not accepted yet. */
  is_active: boolean
  /** Has been a member before, or is one. */
  has_joined: boolean
  role: MemberRole
  role_id: string | null
  role_name: string | null
  retained_unit_ids: string[]
  created_at: string
}

// a former member without a row of provisioned_user is no user: a person removed them
const users = `from membership m
  left join provisioned_user p on p.organization_id = $organization and p.person_id = m.person_id
  where m.organization_id = $organization and (m.removed_at is null or p.person_id is not null)`
const user = `
  select m.person_id as id, m.email, m.name, p.given_name, p.family_name, p.external_id,
    m.removed_at is null as is_member,
    m.removed_at is null or p.is_active as is_active,
    m.removed_at is null or p.has_joined as has_joined,
    case when m.removed_at is null then m.role else p.retained_role end as role,
    case when m.removed_at is null then m.custom_role_id else p.retained_role_id end as role_id,
    (select r.name from role r where r.organization_id = $organization
       and r.id = case when m.removed_at is null then m.custom_role_id else p.retained_role_id end) as role_name,
    coalesce(p.retained_unit_ids, '{}') as retained_unit_ids, m.created_at
  ${users}`

/** Primary key of membership. */
export const listedUsers = sql<ScimUserRow, { limit: number; offset: number }>(
  `${user} order by m.person_id limit $limit offset $offset`,
)
export const countedUsers = sql<{ total: number }>(`select count(*)::int as total ${users}`)
export const userById = sql<ScimUserRow, { id: string }>(`${user} and m.person_id = $id`)
/** Index person_email_key. */
export const userByEmail = sql<ScimUserRow, { email: string }>(
  `${user} and m.person_id = (select a.id from person a where a.email = $email)`,
)
/** Index provisioned_user_external. */
export const userByExternalId = sql<ScimUserRow, { externalId: string }>(
  `${user} and p.external_id = $externalId`,
)

/**
 * Two changes of one user run one after the other. The owners are locked in the same order as by
 * lockMemberAndOwners, which follows.
 */
export const lockUserAndOwners = sql<{ id: string }, { id: string }>(`
  select m.person_id as id from membership m
  where m.organization_id = $organization and (m.person_id = $id or (m.role = 'OWNER' and m.removed_at is null))
  order by m.person_id for no key update
`)

type Attributes = {
  personId: string
  externalId: string | null
  givenName: string | null
  familyName: string | null
  hasJoined: boolean
}
/** Violates provisioned_user_external if another user has the external id. */
export const upsertProvisionedUser = sql<never, Attributes>(`
  insert into provisioned_user as p (organization_id, person_id, external_id, given_name, family_name, has_joined)
  values ($organization, $personId, $externalId, $givenName, $familyName, $hasJoined)
  on conflict (organization_id, person_id) do update set external_id = excluded.external_id,
    given_name = excluded.given_name, family_name = excluded.family_name
    where p.organization_id = $organization
`)

/** Stores what a person gets when they become a member (again). */
export const keepForUser = sql<
  never,
  { personId: string; isActive: boolean; role: MemberRole; roleId: string | null; unitIds: string[] }
>(`
  update provisioned_user p set is_active = $isActive, retained_role = $role, retained_role_id = $roleId,
    retained_unit_ids = $unitIds
  where p.organization_id = $organization and p.person_id = $personId
`)

/** The person is a member now. Returns the units that they get back. */
export const takeRetainedUnits = sql<{ retained_unit_ids: string[] }, { personId: string }>(`
  update provisioned_user p set is_active = true, has_joined = true, retained_role = 'MEMBER', retained_role_id = null,
    retained_unit_ids = '{}'
  from (select o.retained_unit_ids from provisioned_user o
    where o.organization_id = $organization and o.person_id = $personId for update) before
  where p.organization_id = $organization and p.person_id = $personId
  returning before.retained_unit_ids
`)
/** Adds a member to those of the units that still exist. */
export const insertRetainedUnits = sql<never, { personId: string; unitIds: string[] }>(`
  insert into unit_member (organization_id, unit_id, person_id, kind)
  select u.organization_id, u.id, $personId, u.kind from unit u
  where u.organization_id = $organization and u.id = any ($unitIds::text[])
  on conflict (organization_id, unit_id, person_id) do nothing
  returning unit_id
`)
export const deleteProvisionedUser = sql<never, { personId: string }>(
  'delete from provisioned_user p where p.organization_id = $organization and p.person_id = $personId',
)

/** Index unit_member_person. */
export const unitIdsOfMember = sql<{ id: string }, { personId: string }>(`
  select u.unit_id as id from unit_member u where u.organization_id = $organization
    and u.person_id = $personId order by u.unit_id
`)

/** Names the person in this organization alone: the account belongs to the person (SCM-8). */
export const setMemberName = sql<never, { personId: string; name: string }>(
  'update membership m set name = $name where m.organization_id = $organization and m.person_id = $personId',
)

/** A row for a person who must accept first. It gives no access. */
export const insertWaitingMembership = sql<never, { personId: string; name: string; email: string }>(`
  insert into membership (organization_id, person_id, role, name, email, removed_at)
  values ($organization, $personId, 'MEMBER', $name, $email, now())
  on conflict (organization_id, person_id) do nothing
`)

/** Index invitation_open_email. */
export const revokeInvitationTo = sql<{ id: string }, { email: string }>(`
  update invitation i set revoked_at = now()
  where i.organization_id = $organization and i.email = $email and i.accepted_at is null and i.revoked_at is null
  returning i.id
`)

/** Index invitation_open_email. */
export const setInvitedRole = sql<never, { email: string; role: MemberRole; roleId: string | null }>(`
  update invitation i set role = $role, custom_role_id = $roleId
  where i.organization_id = $organization and i.email = $email and i.accepted_at is null and i.revoked_at is null
`)

/** A custom role by its name: index role_name. It cannot be deleted before the transaction ends. */
export const shareLockRoleByName = sql<{ id: string; permissions: string[] }, { name: string }>(`
  select r.id, r.permissions from role r where r.organization_id = $organization
    and lower(r.name) = lower($name) for key share
`)

export type UserGroupRow = { user_id: string; id: string; name: string }
/** The units of some members, with those that former members keep: index unit_member_person. */
export const unitsOfUsers = sql<UserGroupRow, { userIds: string[] }>(`
  select m.person_id as user_id, u.id, u.name from unit_member m
  join unit u on u.organization_id = $organization and u.id = m.unit_id
  where m.organization_id = $organization and m.person_id = any ($userIds::text[])
  union all
  select p.person_id, u.id, u.name from provisioned_user p
  join unit u on u.organization_id = $organization and u.id = any (p.retained_unit_ids)
  where p.organization_id = $organization and p.person_id = any ($userIds::text[])
  order by 1, 2
`)
