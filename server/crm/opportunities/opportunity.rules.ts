import type { createOpportunity, updateOpportunity } from '#contract/crm/opportunities.ts'
import type { Input } from '#contract/operation.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { foldedName } from '#platform/fold.ts'
import { mergeText } from '../text-fields.ts'
import type { OpportunityRow } from './opportunity.row.ts'

type OpportunityInput = Partial<
  Input<typeof createOpportunity>['body'] & Input<typeof updateOpportunity>['body']
>

/** Applies the input to an opportunity. */
export function withFields(opportunity: OpportunityRow, input: OpportunityInput): OpportunityRow {
  const title = input.title?.trim() ?? opportunity.title
  const valueOr = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)
  return {
    ...opportunity,
    title,
    title_folded: foldedName(title),
    status: input.status ?? opportunity.status,
    stage: mergeText(input.stage, opportunity.stage),
    client_id: input.clientId ?? opportunity.client_id,
    contact_id: valueOr(input.contactId, opportunity.contact_id),
    owner_id: valueOr(input.ownerId, opportunity.owner_id),
    amount_cents: valueOr(input.amountCents, opportunity.amount_cents),
    currency: valueOr(input.currency, opportunity.currency),
    expected_on: valueOr(input.expectedOn, opportunity.expected_on),
  }
}

/** Refuses VALIDATION_ERROR for an amount without a currency. */
export function assertPriced({ amount_cents, currency }: OpportunityRow): void {
  if (amount_cents !== null && currency === null)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'currency', code: 'required', message: 'is required with an amount' }],
    })
}

/** Refuses OPPORTUNITY_CLOSED for a change of a closed opportunity, unless it reopens it. */
export function assertMayChange(before: OpportunityRow, after: OpportunityRow): void {
  if (before.status !== 'OPEN' && after.status !== 'OPEN') fail('OPPORTUNITY_CLOSED')
}

/** The API names of the fields that differ; for a new opportunity, of the fields with a value. */
export function changedFields(before: OpportunityRow | null, after: OpportunityRow): string[] {
  return changedFieldNames(
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

/** An open opportunity without values. */
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
