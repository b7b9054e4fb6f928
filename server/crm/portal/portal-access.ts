import * as contract from '#contract/crm/portal-access.ts'
import { command, query } from '#platform/http/operation.ts'
import { clientFor } from '../clients/client.access.ts'
import { lockContact } from '../contacts/contact.access.ts'
import { maskIp } from '../signatures/mask-ip.ts'
import { fullName } from '../text-fields.ts'
import { endAccess, endAccessOfClient, type PortalAccessRow, portalAccessOf } from './portal-access.sql.ts'

export const list = query(contract.listPortalAccess, async ({ db, params: { id } }) => {
  const [, rows] = await Promise.all([clientFor(db, id), portalAccessOf(db, id)])
  return { items: rows.map(showPortalAccess) }
})

/** Ends one session or link of a contact (PRT-16). */
export const end = command(contract.endPortalAccess, async ({ tx, params: { id, accessId }, audit }) => {
  await lockContact(tx, id)
  const kind = await endAccess(tx, id, accessId)
  audit(id, kind ? [kind === 'SESSION' ? 'portalSession' : 'portalLink'] : [])
  return { ended: kind !== undefined }
})

/** Ends all sessions and links of the contacts of a client (PRT-16). */
export const endAll = command(contract.endAllPortalAccess, async ({ tx, params: { id }, audit }) => {
  await clientFor(tx, id)
  const ended = await endAccessOfClient(tx, id)
  const changed = [
    ...(ended.sessionsEnded > 0 ? ['portalSession'] : []),
    ...(ended.linksEnded > 0 ? ['portalLink'] : []),
  ]
  audit(id, changed, ended)
  return ended
})

function showPortalAccess(row: PortalAccessRow): contract.PortalAccess {
  return {
    id: row.id,
    kind: row.kind,
    contactId: row.contact_id,
    contactName: fullName(row) || null,
    contactEmail: row.email,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    ipAddressMasked: row.ip === null ? null : maskIp(row.ip),
  }
}
