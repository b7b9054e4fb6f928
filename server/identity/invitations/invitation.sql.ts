import type { Invitation } from '#contract/identity/invitations.ts'
import { limits } from '#contract/limits.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import type { MemberRole } from '../members/member.sql.ts'

const fields = `id, email, name, role, custom_role_id as "roleId", invited_by as "invitedBy",
  created_at as "createdAt", expires_at as "expiresAt", sent_at as "sentAt"`
const open = 'i.organization_id = $organization and i.accepted_at is null and i.revoked_at is null'
const expiry = `now() + interval '${limits.invitationDays} days'`

/** Index invitation_open. */
export const listedInvitations = sql<Invitation, { limit: number; offset: number }>(
  `select ${fields} from invitation i where ${open}
    order by i.created_at desc, i.id desc limit $limit offset $offset`,
)
export const countedInvitations = sql<{ total: number }>(
  `select count(*) as total from invitation i where ${open}`,
)
/** The members and the open invitations among some addresses. */
export const knownAddresses = sql<{ email: string; isMember: boolean }, { emails: string[] }>(`
  select p.email, true as "isMember" from person p
  join membership m on m.organization_id = $organization and m.person_id = p.id and m.removed_at is null
  where p.email = any ($emails::text[])
  union all
  select i.email, false from invitation i where ${open} and i.email = any ($emails::text[])
`)
export const lockInvitation = sql<Invitation, { id: string }>(
  `select ${fields} from invitation i where ${open} and i.id = $id for no key update`,
)

type NewInvitation = {
  id: string
  email: string
  name: string | null
  role: MemberRole
  roleId: string | null
  secretHash: string
  invitedBy: string | null
}
/** Creates an invitation, or replaces the open one to the same address, whose link stops working. */
export const upsertInvitation = sql<Invitation, NewInvitation>(`
  insert into invitation as i
    (organization_id, id, email, name, role, custom_role_id, secret_hash, invited_by, expires_at)
  values ($organization, $id, $email, $name, $role, $roleId, $secretHash, $invitedBy, ${expiry})
  on conflict (organization_id, email) where accepted_at is null and revoked_at is null do update
    set id = excluded.id, name = excluded.name, role = excluded.role, custom_role_id = excluded.custom_role_id,
      secret_hash = excluded.secret_hash, invited_by = excluded.invited_by, expires_at = excluded.expires_at,
      created_at = now(), sent_at = null
    where i.organization_id = $organization
  returning ${fields}
`)
/** Sets another secret and another seven days. */
export const renewInvitation = sql<Invitation, { id: string; secretHash: string }>(`
  update invitation i set secret_hash = $secretHash, expires_at = ${expiry}, sent_at = null
  where ${open} and i.id = $id returning ${fields}
`)
/** The invitation whose current link has this secret, if it can be accepted. */
export const mailedInvitation = sql<Invitation, { id: string; secretHash: string }>(
  `select ${fields} from invitation i
   where ${open} and i.id = $id and i.secret_hash = $secretHash and i.expires_at > now()`,
)
export const setSent = sql<never, { id: string; secretHash: string }>(
  `update invitation i set sent_at = now() where i.organization_id = $organization and i.id = $id
    and i.secret_hash = $secretHash`,
)
export const sentAtOf = sql<{ sent_at: string | null }, { id: string }>(
  `select i.sent_at from invitation i where i.organization_id = $organization and i.id = $id`,
)
export const setRevoked = sql<never, { id: string }>(
  `update invitation i set revoked_at = now() where ${open} and i.id = $id`,
)
/** Uses the invitation: of several concurrent calls, only the first gets a row. */
export const setAccepted = sql<
  { role: MemberRole; custom_role_id: string | null },
  { id: string; secretHash: string }
>(`
  update invitation i set accepted_at = now()
  where ${open} and i.id = $id and i.secret_hash = $secretHash and i.expires_at > now()
  returning i.role, i.custom_role_id
`)

export type OpenInvitation = {
  organization_id: string
  organization_name: string
  is_suspended: boolean
  id: string
  email: string
  name: string | null
  role: MemberRole
  expires_at: string
}
export const invitationBySecret = crossTenantSql<OpenInvitation, { secretHash: string }>(
  'the secret identifies the invitation, and with it the organization',
  `select i.organization_id, o.name as organization_name, o.suspended_at is not null as is_suspended,
     i.id, i.email, i.name, i.role, i.expires_at
   from invitation i join organization o on o.id = i.organization_id
   where i.secret_hash = $secretHash and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()`,
)

const personReason = 'people are not tied to an organization'
export type PersonAccount = {
  id: string
  name: string
  email: string
  isLocked: boolean
  password: string | null
}
const account = `
  select p.id, p.name, p.email, p.locked_at is not null as "isLocked", c.password
  from person p left join credential c on c.person_id = p.id and c.provider_id = 'credential'`
export const accountByEmail = crossTenantSql<PersonAccount, { email: string }>(
  personReason,
  `${account} where p.email = $email`,
)
export const accountById = crossTenantSql<PersonAccount, { personId: string }>(
  personReason,
  `${account} where p.id = $personId`,
)
