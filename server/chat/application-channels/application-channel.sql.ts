import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { lastOf } from '#platform/required.ts'
import { type ChannelRow, channelColumns } from '../channels/channel.access.ts'
import type { Grantor } from '../grants/grant.rules.ts'

/** The person who is responsible for an application, with their current role in the organization. */
export type PrincipalRow = { id: string } & Omit<Grantor, 'grantor_channel_role'>

const selectPrincipal = sql<PrincipalRow, { applicationId: string }>(
  `select m.person_id as id, m.role as grantor_role, m.removed_at is not null as grantor_removed,
     r.permissions as grantor_permissions
   from application a
   join membership m on m.organization_id = $organization and m.person_id = a.principal_id
   left join role r on r.organization_id = $organization and r.id = m.custom_role_id
   where a.organization_id = $organization and a.id = $applicationId`,
)
// index chat_grant_application. The lateral joins with `offset 0` keep one index lookup per grant, even before PostgreSQL
// has statistics of the tables
const selectPage = sql<
  (ChannelRow | { id: null }) & { scanned_channel_id: string },
  { applicationId: string; after: string; limit: number }
>(
  `select l.channel_id as scanned_channel_id, ${channelColumns}
   from (
     select g.channel_id from chat_grant g
     where g.organization_id = $organization and g.application_id = $applicationId and g.revoked_at is null
       and g.channel_id > $after
     order by g.channel_id limit $limit) l
   left join lateral (
     select x.channel_id from chat_access x
     where x.organization_id = $organization and x.channel_id = l.channel_id
       and x.application_id = $applicationId and x.has_access offset 0) h on true
   left join lateral (
     select * from chat_channel c where c.organization_id = $organization
       and c.id = h.channel_id offset 0) c on true
   order by l.channel_id`,
)

export function principalOf(db: Db, applicationId: string): Promise<PrincipalRow | undefined> {
  return db.first(selectPrincipal, { applicationId })
}

/** Scans `limit` grants after a channel and returns the channels to which the application has access. */
export async function channelsAfter(
  db: Db,
  applicationId: string,
  after: string,
  limit: number,
): Promise<{ channels: ChannelRow[]; nextAfter: string | null }> {
  const rows = await db.rows(selectPage, { applicationId, after, limit })
  return {
    channels: rows.flatMap(row => (row.id === null ? [] : [row])),
    nextAfter: rows.length === limit ? lastOf(rows).scanned_channel_id : null,
  }
}
