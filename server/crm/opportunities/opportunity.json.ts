import type { Opportunity } from '#contract/crm/opportunities.ts'
import type { OpportunityRow } from './opportunity.row.ts'

/** Converts a row to its reply. */
export function showOpportunity(row: OpportunityRow): Opportunity {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    stage: row.stage,
    clientId: row.client_id,
    contactId: row.contact_id,
    leadId: row.lead_id,
    ownerId: row.owner_id,
    amountCents: row.amount_cents,
    currency: row.currency,
    expectedOn: row.expected_on,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
  }
}
