import type { SignedBudget } from './budget.ts'
import { canonical, sha256 } from './digest.ts'

/**
 * The fingerprint of hashVersion 2: everything in a budget that its client sees. It omits data that changes independently or is
 * internal: ids, status, times, internal notes, the owner, and the details of client and issuer. Frozen: this function never
 * changes (SIG-10, SIG-11, SIG-13).
 */
export function fingerprint2(budget: SignedBudget): string {
  return sha256(`budget-fingerprint/v2\n${canonical(canonicalForm2(budget))}`)
}

/** Every key is present, null without a value; positions start at 1. */
export function canonicalForm2(budget: SignedBudget): object {
  const { sections, discounts, taxes } = budget.content
  return {
    code: budget.code,
    title: budget.title,
    issueDate: budget.issue_date,
    validUntil: budget.valid_until,
    currency: budget.currency.toUpperCase(),
    sections: sections.map(({ title, description, items }, at) => ({
      position: at + 1,
      title,
      description,
      items: items.map((item, at) => ({
        position: at + 1,
        name: item.name,
        description: item.description,
        quantity: item.quantity,
        unit: item.unit,
        unitPriceCents: item.unitPriceCents,
        optional: item.optional,
        selected: item.selected,
        discount: item.discount && { kind: item.discount.kind, value: item.discount.value },
        taxes: item.taxes.map(({ name, rate }) => ({ name, rate })),
        subtotalCents: item.subtotalCents,
      })),
    })),
    discounts: discounts.map(({ name, kind, value, amountCents }) => ({ name, kind, value, amountCents })),
    taxes: taxes.map(({ name, rate, baseCents, amountCents }) => ({ name, rate, baseCents, amountCents })),
    totals: {
      subtotalCents: budget.subtotal_cents,
      discountCents: budget.discount_cents,
      taxCents: budget.tax_cents,
      totalCents: budget.total_cents,
    },
    conditions: budget.conditions,
    notes: budget.notes,
  }
}
