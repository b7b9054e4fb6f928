import type { Budget, BudgetSummary } from '#contract/crm/budgets.ts'
import type { BudgetRow, ListedBudgetRow } from './budget.row.ts'
import { hasExpired } from './budget.rules.ts'

/** Converts a row to a list entry. */
export function showListedBudget(row: ListedBudgetRow): BudgetSummary {
  return {
    id: row.id,
    code: row.code,
    title: row.title,
    status: row.status,
    clientId: row.client_id,
    contactId: row.contact_id,
    opportunityId: row.opportunity_id,
    ownerId: row.owner_id,
    issueDate: row.issue_date,
    validUntil: row.valid_until,
    isExpired: hasExpired(row),
    currency: row.currency,
    subtotalCents: row.subtotal_cents,
    discountCents: row.discount_cents,
    taxCents: row.tax_cents,
    totalCents: row.total_cents,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sentAt: row.sent_at,
    signedAt: row.signed_at,
    declinedAt: row.declined_at,
    declineReason: row.decline_reason,
  }
}

/** Converts a row to a budget with all fields. */
export function showBudget(row: BudgetRow): Budget {
  const { sections, discounts, taxes } = row.content
  return {
    ...showListedBudget(row),
    sections,
    discounts,
    taxes,
    conditions: row.conditions,
    notes: row.notes,
    internalNotes: row.internal_notes,
  }
}
