import { isDeepStrictEqual } from 'node:util'
import type {
  createBudget,
  NewBudgetDiscount,
  NewBudgetSection,
  updateBudget,
} from '#contract/crm/budgets.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { msOf } from '#platform/clock.ts'
import { currencyInUse } from '#platform/currency.ts'
import { plainDecimal } from '#platform/decimal.ts'
import { fail } from '#platform/fail.ts'
import { foldedName } from '#platform/fold.ts'
import { normalizeText, normalizeTextOrNull } from '../normalize-text.ts'
import type { BudgetRow, BudgetValues } from './budget.row.ts'
import { type BudgetOffer, computeBudget, taxKey } from './compute.ts'

type BudgetInput = Partial<Input<typeof createBudget>['body'] & Input<typeof updateBudget>['body']>

/** Applies the input to a budget and recomputes its amounts. Refuses VALIDATION_ERROR. */
export function withFields(
  budget: BudgetValues,
  input: BudgetInput,
  offer: Partial<BudgetOffer>,
): BudgetValues {
  const valueOr = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)
  const text = (value: string | null | undefined, before: string | null) =>
    value === undefined ? before : normalizeTextOrNull(value)
  const { sections = budget.content.sections, discounts = budget.content.discounts } = offer
  const { content, subtotalCents, discountCents, taxCents, totalCents } = computeBudget({
    sections,
    discounts,
  })
  const title = input.title === undefined ? budget.title : normalizeText(input.title)
  const after: BudgetValues = {
    ...budget,
    title,
    title_folded: foldedName(title),
    client_id: input.clientId ?? budget.client_id,
    contact_id: valueOr(input.contactId, budget.contact_id),
    opportunity_id: valueOr(input.opportunityId, budget.opportunity_id),
    owner_id: valueOr(input.ownerId, budget.owner_id),
    issue_date: input.issueDate ?? budget.issue_date,
    valid_until: valueOr(input.validUntil, budget.valid_until),
    currency: input.currency ?? budget.currency,
    content,
    subtotal_cents: subtotalCents,
    discount_cents: discountCents,
    tax_cents: taxCents,
    total_cents: totalCents,
    conditions: text(input.conditions, budget.conditions),
    notes: text(input.notes, budget.notes),
    internal_notes: text(input.internalNotes, budget.internal_notes),
  }
  if (after.valid_until !== null && after.valid_until < after.issue_date)
    refuse('validUntil', 'minimum', 'is before issueDate')
  return after
}

/**
 * Converts sections and discounts to their stored form: canonical decimals and defaults for omitted fields. Refuses
 * VALIDATION_ERROR for too many items, a rate out of range, and an item with the same tax twice.
 */
export function normalizeOffer(input: {
  sections?: NewBudgetSection[]
  discounts?: NewBudgetDiscount[]
}): Partial<BudgetOffer> {
  const { sections, discounts } = input
  const count = sections?.reduce((sum, { items }) => sum + items.length, 0) ?? 0
  if (count > limits.budgetItems)
    refuse('sections', 'maxItems', `must not have more than ${limits.budgetItems} items`)
  return {
    ...(sections && { sections: sections.map(normalizeSection) }),
    ...(discounts && {
      discounts: discounts.map(({ name, ...discount }, n) => ({
        name: normalizeText(name),
        ...normalizeDiscount(discount, `discounts.${n}`),
      })),
    }),
  }
}

function normalizeSection(
  { title, description, items }: NewBudgetSection,
  s: number,
): BudgetOffer['sections'][number] {
  return {
    title: normalizeTextOrNull(title),
    description: normalizeTextOrNull(description),
    items: items.map((item, n) => normalizeItem(item, `sections.${s}.items.${n}`)),
  }
}

function normalizeItem(
  input: NewBudgetSection['items'][number],
  path: string,
): BudgetOffer['sections'][number]['items'][number] {
  const { optional = false, selected = true, discount = null, taxes = [], quantity = '1' } = input
  const valueOr = taxes.map(({ name, rate }, n) => ({
    name: normalizeText(name),
    rate: normalizeRate(rate, `${path}.taxes.${n}.rate`),
  }))
  if (new Set(valueOr.map(taxKey)).size < valueOr.length)
    refuse(`${path}.taxes`, 'uniqueItems', 'lists the same tax twice')
  return {
    name: normalizeText(input.name),
    description: normalizeTextOrNull(input.description),
    quantity: plainDecimal(quantity),
    unit: normalizeTextOrNull(input.unit),
    unitPriceCents: input.unitPriceCents,
    optional,
    selected: selected || !optional,
    discount: discount && normalizeDiscount(discount, `${path}.discount`),
    taxes: valueOr,
  }
}

function normalizeDiscount(
  { kind, value }: Omit<NewBudgetDiscount, 'name'>,
  path: string,
): Omit<NewBudgetDiscount, 'name'> {
  if ((kind === 'PERCENT') !== (typeof value === 'string'))
    refuse(`${path}.value`, 'type', kind === 'PERCENT' ? 'must be a string' : 'must be an integer')
  return { kind, value: typeof value === 'string' ? normalizeRate(value, `${path}.value`) : value }
}

function normalizeRate(rate: string, path: string): string {
  if (Math.abs(Number(rate)) > 100) refuse(path, 'range', 'must be from -100 to 100')
  return plainDecimal(rate)
}

function refuse(path: string, code: string, message: string): never {
  return fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}

/** The currency of a new budget: that of the request, or else that of the issuer (BUD-2). */
export function budgetCurrency(
  requested: string | undefined,
  issuer: { currency: string } | undefined,
): string {
  return requested ?? currencyInUse(issuer?.currency ?? 'eur')
}

/** Fields that the client does not see; they can change in every status. */
const internalFields = ['ownerId', 'internalNotes']

/** Refuses BUDGET_SETTLED for a change of a signed, declined or cancelled budget. */
export function assertMayChange({ status }: Pick<BudgetRow, 'status'>, changed: readonly string[]): void {
  if (isOpen(status)) return
  if (changed.some(field => !internalFields.includes(field))) fail('BUDGET_SETTLED')
}

/** Refuses BUDGET_EMPTY for a budget without items, because nobody could sign it. */
export function assertHasItems({ content }: Pick<BudgetRow, 'content'>): void {
  if (content.sections.every(({ items }) => items.length === 0)) fail('BUDGET_EMPTY')
}

/** Whether a budget can still change. */
export function isOpen(status: BudgetRow['status']): boolean {
  return status === 'DRAFT' || status === 'SENT'
}

/** Whether a sent budget passed its last day without a signature. */
export function hasExpired({ status, is_expired }: Pick<BudgetRow, 'status' | 'is_expired'>): boolean {
  return status === 'SENT' && is_expired
}

/** Refuses BUDGET_EXPIRED for a budget whose last day has passed. */
export function assertNotExpired({ is_expired }: Pick<BudgetRow, 'is_expired'>): void {
  if (is_expired) fail('BUDGET_EXPIRED')
}

/** Refuses BUDGET_UPDATE_CONFLICT if the budget has changed since the expected time. */
export function assertUnchangedSince(
  budget: Pick<BudgetRow, 'updated_at'>,
  expected: string | undefined,
): void {
  if (expected !== undefined && msOf(expected) !== msOf(budget.updated_at))
    fail('BUDGET_UPDATE_CONFLICT', { updatedAt: budget.updated_at })
}

/** The API names of the fields that differ; for a new budget, of the fields with a value. */
export function changedFields(before: BudgetValues | null, after: BudgetValues): string[] {
  const parts = ['sections', 'discounts'] as const
  return [
    ...changedFieldNames(
      {
        title: 'title',
        client_id: 'clientId',
        contact_id: 'contactId',
        opportunity_id: 'opportunityId',
        owner_id: 'ownerId',
        issue_date: 'issueDate',
        valid_until: 'validUntil',
        currency: 'currency',
        conditions: 'conditions',
        notes: 'notes',
        internal_notes: 'internalNotes',
      },
      before,
      after,
    ),
    ...parts.filter(part => !isDeepStrictEqual(before?.content[part] ?? [], after.content[part])),
  ]
}

/** An empty draft. */
export function blankBudget(
  input: Pick<BudgetValues, 'id' | 'issue_date' | 'currency' | 'created_by'>,
): BudgetValues {
  return {
    title: '',
    title_folded: '',
    client_id: '',
    contact_id: null,
    opportunity_id: null,
    owner_id: null,
    valid_until: null,
    content: { sections: [], discounts: [], taxes: [] },
    subtotal_cents: 0,
    discount_cents: 0,
    tax_cents: 0,
    total_cents: 0,
    conditions: null,
    notes: null,
    internal_notes: null,
    ...input,
  }
}

/** A copy with another issue date and the same validity period. */
export function copyBudget(
  budget: BudgetRow,
  input: Pick<BudgetValues, 'id' | 'issue_date' | 'created_by'>,
): BudgetValues {
  const days = budget.valid_until === null ? null : msOf(budget.valid_until) - msOf(budget.issue_date)
  const until = days === null ? null : new Date(msOf(input.issue_date) + days).toISOString().slice(0, 10)
  return { ...budget, ...input, valid_until: until, internal_notes: null }
}
