import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import type { Grantor, GrantRights } from './grant.rules.ts'

/** An active grant with its application and the current role of its grantor. */
export type GrantRow = GrantRights &
  Grantor & {
    application_id: string
    slug: string
    name: string
    status: 'ACTIVE' | 'DISABLED'
    granted_by: string
    grantor_name: string
    granted_at: string
    has_access: boolean
    /** The other applications received CHAT_MEMBER_ADDED for this application, and no CHAT_MEMBER_REMOVED since. */
    is_announced: boolean
  }

const selectGrants = `select x.application_id, a.slug, a.name, a.status, x.can_organize, x.can_manage_members,
    x.is_member,
    x.has_access, x.is_announced, x.granted_by, p.name as grantor_name, x.granted_at, x.grantor_role,
    x.grantor_removed, x.grantor_permissions, x.grantor_channel_role
  from chat_access x
  join application a on a.organization_id = $organization and a.id = x.application_id
  join membership p on p.organization_id = $organization and p.person_id = x.granted_by
  where x.organization_id = $organization and x.channel_id = $channelId`
const selectAll = sql<GrantRow, { channelId: string }>(`${selectGrants} order by lower(a.name), a.id`)
const selectOne = sql<GrantRow, { channelId: string; applicationId: string }>(
  `${selectGrants} and x.application_id = $applicationId`,
)
const count = sql<{ total: number }, { channelId: string }>(
  `select count(*) as total from chat_access x where x.organization_id = $organization
    and x.channel_id = $channelId`,
)
const insert = sql<
  never,
  {
    id: string
    channelId: string
    applicationId: string
    by: string
    canOrganize: boolean
    canManageMembers: boolean
    isMember: boolean
    isAnnounced: boolean
  }
>(
  `insert into chat_grant (organization_id, id, channel_id, application_id, granted_by, can_organize, can_manage_members,
     is_member, is_announced)
   values ($organization, $id, $channelId, $applicationId, $by, $canOrganize, $canManageMembers, $isMember,
     $isAnnounced)`,
)
const end = sql<never, { channelId: string; applicationId: string; by: string }>(
  `update chat_grant g set revoked_at = now(), revoked_by = $by
   where g.organization_id = $organization and g.channel_id = $channelId and g.application_id = $applicationId
     and g.revoked_at is null`,
)

/** The active grants of a channel by the name of the application; at most limits.grantsPerChannel. */
export function grantsOf(db: Db, channelId: string): Promise<GrantRow[]> {
  return db.rows(selectAll, { channelId })
}

export function grantOf(db: Db, channelId: string, applicationId: string): Promise<GrantRow | undefined> {
  return db.first(selectOne, { channelId, applicationId })
}

/** The caller holds the lock of the channel. */
export async function countGrants(tx: Tx, channelId: string): Promise<number> {
  return (await tx.one(count, { channelId })).total
}

/**
 * Starts a grant. An application has one active grant in a channel: the caller holds the lock of the channel and has
 * ended the previous one. `isAnnounced` continues the value of the previous grant.
 */
export async function insertGrant(
  tx: Tx,
  channelId: string,
  applicationId: string,
  grantedBy: string,
  { can_organize, can_manage_members, is_member }: GrantRights,
  isAnnounced: boolean,
): Promise<void> {
  await tx.run(insert, {
    id: newId(),
    channelId,
    applicationId,
    by: grantedBy,
    canOrganize: can_organize,
    canManageMembers: can_manage_members,
    isMember: is_member,
    isAnnounced,
  })
}

/** Ends the active grant and keeps it as history. */
export async function endGrant(
  tx: Tx,
  channelId: string,
  applicationId: string,
  revokedBy: string,
): Promise<void> {
  await tx.run(end, { channelId, applicationId, by: revokedBy })
}

/** A current or past grant. */
export type PastGrantRow = GrantRights & {
  id: string
  application_id: string
  slug: string
  name: string
  granted_by: string
  grantor_name: string
  granted_at: string
  revoked_by: string | null
  revoker_name: string | null
  revoked_at: string | null
}
// index chat_grant_history
const selectPast = sql<PastGrantRow, { channelId: string; before: string; limit: number }>(
  `select g.id, g.application_id, a.slug, a.name, g.can_organize, g.can_manage_members, g.is_member, g.granted_by,
     p.name as grantor_name, g.granted_at, g.revoked_by, r.name as revoker_name, g.revoked_at
   from chat_grant g
   join application a on a.organization_id = $organization and a.id = g.application_id
   join membership p on p.organization_id = $organization and p.person_id = g.granted_by
   left join membership r on r.organization_id = $organization and r.person_id = g.revoked_by
   where g.organization_id = $organization and g.channel_id = $channelId and g.id < $before
   order by g.id desc limit $limit`,
)

/** Newest first. */
export function pastGrants(
  db: Db,
  channelId: string,
  before: string,
  limit: number,
): Promise<PastGrantRow[]> {
  return db.rows(selectPast, { channelId, before, limit })
}
