import type { BudgetContent, BudgetStatus } from '#contract/crm/budgets.ts'

/** A budget as it is kept. Days are YYYY-MM-DD; texts are NFC, their lines end with LF. */
export type BudgetRow = {
  id: string
  /** P-2026-0001 */
  code: string
  title: string
  status: BudgetStatus
  client_id: string
  contact_id: string | null
  opportunity_id: string | null
  owner_id: string | null
  issue_date: string
  valid_until: string | null
  /** Its last day is over, wherever somebody reads it. */
  is_expired: boolean
  /** ISO 4217, small letters. */
  currency: string
  /** In the order in which it is shown; quantities and rates are canonical decimal texts. */
  content: BudgetContent
  subtotal_cents: number
  discount_cents: number
  tax_cents: number
  total_cents: number
  conditions: string | null
  notes: string | null
  internal_notes: string | null
  created_by: string | null
  created_at: string
  updated_at: string
  sent_at: string | null
  signed_at: string | null
  declined_at: string | null
  decline_reason: string | null
}

/** A budget as lists have it. */
export type ListedBudgetRow = Omit<
  BudgetRow,
  'content' | 'conditions' | 'notes' | 'internal_notes' | 'created_by'
>

/** The columns that whoever writes a budget gives, with their types; `code` is given by its counter. */
export const budgetColumns = {
  id: 'text',
  title: 'text',
  client_id: 'text',
  contact_id: 'text',
  opportunity_id: 'text',
  owner_id: 'text',
  issue_date: 'date',
  valid_until: 'date',
  currency: 'text',
  content: 'jsonb',
  subtotal_cents: 'bigint',
  discount_cents: 'bigint',
  tax_cents: 'bigint',
  total_cents: 'bigint',
  conditions: 'text',
  notes: 'text',
  internal_notes: 'text',
  created_by: 'text',
} as const

/** What is written of a budget; the rest follows from it. */
export type BudgetValues = Pick<BudgetRow, keyof typeof budgetColumns>

const notListed = ['content', 'conditions', 'notes', 'internal_notes', 'created_by']
const events = ['created_at', 'updated_at', 'sent_at', 'signed_at', 'declined_at', 'decline_reason']
// where a day ends last it does so twelve hours after UTC
const isExpired = `coalesce(b.valid_until < (now() at time zone 'utc' - interval '12 hours')::date, false) as is_expired`
const selectList = (names: string[]) =>
  ['code', 'status', ...names, ...events]
    .map(name => (name.endsWith('_date') || name === 'valid_until' ? `b.${name}::text` : `b.${name}`))
    .concat(isExpired)
    .join(', ')

/** What a statement selects of `budget b` to have a whole row, or what lists have of it. */
export const allBudgetColumns = selectList(Object.keys(budgetColumns))
export const listedBudgetColumns = selectList(
  Object.keys(budgetColumns).filter(name => !notListed.includes(name)),
)
