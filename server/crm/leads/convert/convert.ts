import { convertLead } from '#contract/crm/lead-moves.ts'
import type { Tx } from '#platform/data/database.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { lockNamedClient } from '../../clients/client.access.ts'
import { insertClient } from '../../clients/client.sql.ts'
import type { ContactRow } from '../../contacts/contact.row.ts'
import { insertContact, lockContactOf, setContact } from '../../contacts/contact.sql.ts'
import { emailHashes } from '../../email.ts'
import { insertOpportunity } from '../../opportunities/opportunity.sql.ts'
import { changeLead } from '../change.ts'
import { lockLead } from '../lead.access.ts'
import { showLead } from '../lead.json.ts'
import type { LeadRow } from '../lead.row.ts'
import { assertNotConverted, withStatus } from '../lead.rules.ts'
import {
  clientOf,
  contactOf,
  conversionReason,
  hasNewValues,
  newContactOf,
  opportunityOf,
} from './convert.rules.ts'

/**
 * Any lead but a converted one becomes a contact, and is WON (LEAD-29). Locked are the lead, the client and its
 * contact, in this order; conversions into one client come one after the other, so that a person is found who was just made.
 */
export const convert = command(convertLead, async ({ tx, caller, params, body, audit, services }) => {
  const reason = conversionReason(body.reason)
  const { targetClientId, createOpportunity = false } = body
  const [before] = await Promise.all([
    lockLead(tx, params.id),
    targetClientId === undefined ? undefined : lockNamedClient(tx, targetClientId, 'targetClientId'),
  ])
  assertNotConverted(before)
  const known = targetClientId ? await knownContact(tx, services.cipher, before, targetClientId) : undefined
  const client = targetClientId ? undefined : clientOf(before, newId())
  const clientId = targetClientId ?? client!.id
  const contact = known ? contactOf(before, known) : newContactOf(before, newId(), clientId)
  const opportunity = createOpportunity ? opportunityOf(before, newId(), contact) : undefined
  const after: LeadRow = {
    ...withStatus(before, 'WON'),
    contact_id: contact.id,
    client_id: clientId,
    opportunity_id: opportunity?.id ?? null,
  }
  // they travel together, in this order: what is referred to first, and the lead last
  const writes = [
    client && insertClient(tx, client),
    known ? hasNewValues(known, contact) && setContact(tx, contact) : insertContact(tx, contact),
    opportunity && insertOpportunity(tx, opportunity),
  ]
  const change = changeLead(tx, caller, { before, after, action: 'convert', reason })
  const [recorded] = await Promise.all([change, ...writes])
  audit(before.id, recorded.changed, { changeId: recorded.changeId })
  return {
    lead: showLead(recorded.lead, { scoring: false, notes: false }, () => null),
    contactId: contact.id,
    contactReused: known !== undefined,
    ...(opportunity && { opportunityId: opportunity.id }),
    clientId,
    createdAt: recorded.lead.updated_at,
  }
})

/** The contact of the client that this person is already. */
async function knownContact(
  tx: Tx,
  cipher: Cipher,
  { email }: LeadRow,
  clientId: string,
): Promise<ContactRow | undefined> {
  return email === null
    ? undefined
    : lockContactOf(tx, clientId, emailHashes(cipher, tx.organizationId, email))
}
