import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'

/** A session or an unused link of a contact who is not erased. */
export type PortalAccessRow = {
  id: string
  kind: 'SESSION' | 'LINK'
  contact_id: string
  first_name: string | null
  last_name: string | null
  email: string
  created_at: string
  last_used_at: string | null
  expires_at: string
  ip: string | null
}

// derived in one direction from the stored digest, which is not shown
const sessionId = (s: string) => `encode(sha256(${s}.token_digest), 'hex')`
// indexes crm_contact_of, portal_session_of and portal_link_of
const select = sql<PortalAccessRow, { clientId: string }>(`
  select a.id, a.kind, p.id as contact_id, p.first_name, p.last_name, p.email, a.created_at, a.last_used_at,
    a.expires_at, a.ip
  from crm_contact p cross join lateral (
    select ${sessionId('s')} as id, 'SESSION' as kind, s.created_at, s.last_used_at, s.expires_at, s.ip
    from portal_session s where s.organization_id = $organization and s.contact_id = p.id and s.expires_at > now()
    union all
    select l.id, 'LINK', l.created_at, null, l.expires_at, l.ip
    from portal_link l where l.organization_id = $organization and l.contact_id = p.id and l.expires_at > now()) a
  where p.organization_id = $organization and p.client_id = $clientId and p.erased_at is null
  order by a.created_at desc, a.id limit ${limits.portalAccessShown}`)
// index portal_session_of
const deleteSession = sql<never, { contactId: string; id: string }>(
  `delete from portal_session s where s.organization_id = $organization and s.contact_id = $contactId
    and ${sessionId('s')} = $id`,
)
const deleteLink = sql<never, { contactId: string; id: string }>(
  'delete from portal_link l where l.organization_id = $organization and l.contact_id = $contactId and l.id = $id',
)
// indexes crm_contact_of, portal_session_of and portal_link_of
const lockContacts = sql<{ id: string }, { clientId: string }>(`
  select p.id from crm_contact p where p.organization_id = $organization and p.client_id = $clientId
    and p.erased_at is null
    and (exists (select from portal_session s where s.organization_id = $organization and s.contact_id = p.id)
      or exists (select from portal_link l where l.organization_id = $organization and l.contact_id = p.id))
  order by p.id for no key update`)
// index portal_session_of
const deleteSessions = sql<never, { contactIds: string[] }>(
  `delete from portal_session s where s.organization_id = $organization
    and s.contact_id = any($contactIds::text[])`,
)
// index portal_link_of
const deleteLinks = sql<never, { contactIds: string[] }>(
  'delete from portal_link l where l.organization_id = $organization and l.contact_id = any($contactIds::text[])',
)
const deleteExpired = (table: string, key: string) =>
  crossTenantSql<{ removed: number }>(
    'expired sessions and links are deleted in all organizations',
    `with gone as (
       delete from ${table} where (organization_id, ${key}) in (
         select organization_id, ${key} from ${table} where expires_at < now() limit 1000)
       returning 1)
     select count(*)::int as removed from gone`,
  )
const deleteExpiredSessions = deleteExpired('portal_session', 'token_digest')
const deleteExpiredLinks = deleteExpired('portal_link', 'id')

/** The sessions and links of the contacts of a client that have not expired, the newest first. */
export function portalAccessOf(db: Db, clientId: string): Promise<PortalAccessRow[]> {
  return db.rows(select, { clientId })
}

/** Ends a session or a link of a locked contact. Returns undefined if there is none. */
export async function endAccess(
  tx: Tx,
  contactId: string,
  id: string,
): Promise<PortalAccessRow['kind'] | undefined> {
  const [sessions, links] = await Promise.all([
    tx.run(deleteSession, { contactId, id }),
    tx.run(deleteLink, { contactId, id }),
  ])
  if (sessions > 0) return 'SESSION'
  return links > 0 ? 'LINK' : undefined
}

/** Ends the sessions and links of all contacts of a client, which are locked: no link becomes a session meanwhile. */
export async function endAccessOfClient(
  tx: Tx,
  clientId: string,
): Promise<{ sessionsEnded: number; linksEnded: number }> {
  const contactIds = (await tx.rows(lockContacts, { clientId })).map(({ id }) => id)
  const [linksEnded, sessionsEnded] = await Promise.all([
    tx.run(deleteLinks, { contactIds }),
    tx.run(deleteSessions, { contactIds }),
  ])
  return { sessionsEnded, linksEnded }
}

/** Deletes one chunk of expired sessions and links, which name the address of a person. Returns their number. */
export async function deleteExpiredPortalAccess({ crossTenant }: Database): Promise<number> {
  const counts = await Promise.all([
    crossTenant.first(deleteExpiredSessions),
    crossTenant.first(deleteExpiredLinks),
  ])
  return counts.reduce((sum, count) => sum + (count?.removed ?? 0), 0)
}
