import type { BudgetContent, BudgetStatus } from '#contract/crm/budgets.ts'

/** A stored budget. Days are YYYY-MM-DD; texts are NFC with LF line endings. */
export type BudgetRow = {
  id: string
  /** P-2026-0001 */
  code: string
  title: string
  /** For searches; see foldedName. */
  title_folded: string
  status: BudgetStatus
  client_id: string
  contact_id: string | null
  opportunity_id: string | null
  owner_id: string | null
  issue_date: string
  valid_until: string | null
  /** The last day has ended in every time zone. */
  is_expired: boolean
  /** ISO 4217, lower case. */
  currency: string
  /** In display order; quantities and rates are canonical decimal strings. */
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

/** A row of a list. */
export type ListedBudgetRow = Omit<
  BudgetRow,
  'title_folded' | 'content' | 'conditions' | 'notes' | 'internal_notes' | 'created_by'
>

/** The columns that a caller writes, with their types. The counter assigns `code`. */
export const budgetColumns = {
  id: 'text',
  title: 'text',
  title_folded: 'text',
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

/** The column values that a caller writes. */
export type BudgetValues = Pick<BudgetRow, keyof typeof budgetColumns>

const notListed = ['title_folded', 'content', 'conditions', 'notes', 'internal_notes', 'created_by']
const events = ['created_at', 'updated_at', 'sent_at', 'signed_at', 'declined_at', 'decline_reason']
// a day ends last at UTC-12
const isExpired = `coalesce(b.valid_until < (now() at time zone 'utc' - interval '12 hours')::date, false) as is_expired`
const selectList = (names: string[]) =>
  ['code', 'status', ...names, ...events]
    .map(name => `b.${name}`)
    .concat(isExpired)
    .join(', ')

/** The select lists of `budget b` for a full row and for a row of a list. */
export const allBudgetColumns = selectList(Object.keys(budgetColumns))
export const listedBudgetColumns = selectList(
  Object.keys(budgetColumns).filter(name => !notListed.includes(name)),
)
