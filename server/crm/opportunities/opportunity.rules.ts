import type { createOpportunity, updateOpportunity } from '#contract/crm/opportunities.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { foldedName } from '#platform/fold.ts'
import { differing, told } from '../given.ts'
import type { OpportunityRow } from './opportunity.row.ts'

type Given = Partial<Input<typeof createOpportunity>['body'] & Input<typeof updateOpportunity>['body']>

/** The opportunity with what is given. */
export function withFields(opportunity: OpportunityRow, given: Given): OpportunityRow {
  const title = given.title?.trim() ?? opportunity.title
  const kept = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)
  return {
    ...opportunity,
    title,
    title_folded: foldedName(title),
    status: given.status ?? opportunity.status,
    stage: told(given.stage, opportunity.stage),
    client_id: given.clientId ?? opportunity.client_id,
    contact_id: kept(given.contactId, opportunity.contact_id),
    owner_id: kept(given.ownerId, opportunity.owner_id),
    amount_cents: kept(given.amountCents, opportunity.amount_cents),
    currency: kept(given.currency, opportunity.currency),
    expected_on: kept(given.expectedOn, opportunity.expected_on),
  }
}

/** Refuses VALIDATION_ERROR for an amount of no currency. */
export function assertPriced({ amount_cents, currency }: OpportunityRow): void {
  if (amount_cents !== null && currency === null)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'currency', code: 'required', message: 'is needed with an amount' }],
    })
}

/** Refuses OPPORTUNITY_CLOSED for a change of one that is won or lost, unless it is opened again. */
export function assertMayChange(before: OpportunityRow, after: OpportunityRow): void {
  if (before.status !== 'OPEN' && after.status !== 'OPEN') fail('OPPORTUNITY_CLOSED')
}

/** The names of the fields in which two states of an opportunity differ; of a new one those that it has. */
export function changedFields(before: OpportunityRow | null, after: OpportunityRow): string[] {
  return differing(
    {
      title: 'title',
      status: 'status',
      stage: 'stage',
      client_id: 'clientId',
      contact_id: 'contactId',
      owner_id: 'ownerId',
      amount_cents: 'amountCents',
      currency: 'currency',
      expected_on: 'expectedOn',
    },
    before,
    after,
  )
}

/** An open opportunity of which nothing is known yet. */
export function blankOpportunity(id: string): OpportunityRow {
  return {
    id,
    title: '',
    title_folded: '',
    status: 'OPEN',
    stage: null,
    client_id: '',
    contact_id: null,
    lead_id: null,
    owner_id: null,
    amount_cents: null,
    currency: null,
    expected_on: null,
    created_at: '',
    updated_at: '',
    closed_at: null,
  }
}
