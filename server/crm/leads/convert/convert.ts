import { convertLead } from '#contract/crm/lead-moves.ts'
import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
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
 * Converts any lead that is not converted yet into a contact; its status becomes WON (LEAD-29). Locks the lead, the client and
 * the contact, in this order: conversions into one client run one after the other, so that each finds the contacts of the others.
 */
export const convert = command(convertLead, async ({ tx, caller, params, body, audit, services }) => {
  const reason = conversionReason(body.reason)
  const { targetClientId, createOpportunity = false } = body
  const [before] = await tx.inOrder(
    () => lockLead(tx, params.id),
    () => (targetClientId === undefined ? undefined : lockNamedClient(tx, targetClientId, 'targetClientId')),
  )
  assertNotConverted(before)
  const known = targetClientId ? await knownContact(tx, services.cipher, before, targetClientId) : undefined
  const clientId = targetClientId ?? newId()
  const client = targetClientId ? undefined : clientOf(before, clientId)
  const contact = known ? contactOf(before, known) : newContactOf(before, newId(), clientId)
  const opportunity = createOpportunity ? opportunityOf(before, newId(), contact) : undefined
  const after: LeadRow = {
    ...withStatus(before, 'WON'),
    contact_id: contact.id,
    client_id: clientId,
    opportunity_id: opportunity?.id ?? null,
  }
  // sent together in this order: referenced rows first, the lead last
  const writes = [
    client && insertClient(tx, client),
    known ? hasNewValues(known, contact) && setContact(tx, contact) : insertContact(tx, contact),
    opportunity && insertOpportunity(tx, opportunity),
  ]
  const change = changeLead(tx, caller, { before, after, action: 'convert', reason })
  const [recorded] = await Promise.all([change, ...writes])
  emitConversion(tx, caller, {
    createdClientId: client?.id,
    contactId: contact.id,
    isNewContact: !known,
    opportunityId: opportunity?.id,
  })
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

type ConvertedObjects = {
  createdClientId: string | undefined
  contactId: string
  isNewContact: boolean
  opportunityId: string | undefined
}

/** Emits the client, contact and opportunity of a conversion to people; applications receive LEAD_CONVERTED. */
function emitConversion(
  tx: Tx,
  caller: EventActor,
  { createdClientId, contactId, isNewContact, opportunityId }: ConvertedObjects,
): void {
  const created = (id: string) => ({ ids: [id], createdIds: [id] })
  if (createdClientId) emit(tx, caller, 'client.changed', created(createdClientId))
  emit(tx, caller, 'contact.changed', isNewContact ? created(contactId) : { ids: [contactId] })
  if (opportunityId) emit(tx, caller, 'opportunity.changed', created(opportunityId))
}

/** The existing contact of the client with the e-mail of the lead. */
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
