import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { required } from '#platform/required.ts'
import type { ClientRow } from '../../clients/client.row.ts'
import { blankClient, withFields } from '../../clients/client.rules.ts'
import type { ContactRow } from '../../contacts/contact.row.ts'
import { blankContact, findable } from '../../contacts/contact.rules.ts'
import type { OpportunityRow } from '../../opportunities/opportunity.row.ts'
import * as opportunities from '../../opportunities/opportunity.rules.ts'
import { fullName } from '../../text-fields.ts'
import type { LeadRow } from '../lead.row.ts'

/** The trimmed reason of a conversion. Refuses LEAD_CONVERSION_REQUIRES_REASON (LEAD-30). */
export function conversionReason(input: string | undefined): string {
  const reason = input?.trim() ?? ''
  if ([...reason].length < limits.leadConvertReasonMin) fail('LEAD_CONVERSION_REQUIRES_REASON')
  return reason
}

/** The new client of a converted lead: its company, or else the person. */
export function clientOf(lead: LeadRow, id: string): ClientRow {
  return withFields(blankClient(id), { name: nameOf(lead), email: lead.email, phone: lead.phone })
}

/** Fills the empty fields of the contact `known` from a lead. */
export function contactOf(lead: LeadRow, known: ContactRow): ContactRow {
  const isReachable = known.phone !== null
  return findable({
    ...known,
    lead_id: known.lead_id ?? lead.id,
    first_name: known.first_name ?? lead.first_name,
    last_name: known.last_name ?? lead.last_name,
    email: known.email ?? lead.email,
    email_hash: known.email_hash ?? lead.email_hash,
    phone: isReachable ? known.phone : lead.phone,
    phone_e164: isReachable ? known.phone_e164 : lead.phone_e164,
  })
}

/** Whether a field of the contact changed. */
export function hasNewValues(known: ContactRow, contact: ContactRow): boolean {
  return (Object.keys(known) as (keyof ContactRow)[]).some(name => known[name] !== contact[name])
}

/** The new contact of a converted lead. */
export function newContactOf(lead: LeadRow, id: string, clientId: string): ContactRow {
  return contactOf(lead, { ...blankContact(id), client_id: clientId })
}

/** The opportunity of a converted lead, owned by its assignee. */
export function opportunityOf(lead: LeadRow, id: string, contact: ContactRow): OpportunityRow {
  return opportunities.withFields(
    { ...opportunities.blankOpportunity(id), lead_id: lead.id },
    {
      title: nameOf(lead),
      clientId: required(contact.client_id, 'the client of a contact'),
      contactId: contact.id,
      ownerId: lead.assignee_id,
    },
  )
}

type NamedLead = Pick<LeadRow, 'first_name' | 'last_name' | 'company' | 'email' | 'phone'>
/** The name of the client and opportunity: the company, or else the person; every lead has an e-mail or telephone. */
export function nameOf(lead: NamedLead): string {
  const name = required(lead.company ?? (fullName(lead) || lead.email || lead.phone), 'the name of a lead')
  return [...name].slice(0, limits.clientName).join('')
}
