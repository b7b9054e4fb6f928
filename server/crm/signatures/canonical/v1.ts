import type { SignedBudget } from './budget.ts'
import { canonical, sha256 } from './digest.ts'

/**
 * The fingerprint of hashVersion 1: code, total and items. Only imported signatures from an earlier system have it. Frozen: this
 * function never changes (SIG-9, SIG-13).
 */
export function fingerprint1(budget: SignedBudget): string {
  return sha256(canonical(canonicalForm1(budget)))
}

export function canonicalForm1({ code, content, total_cents }: SignedBudget): object {
  return {
    code,
    items: content.sections.flatMap(({ items }) =>
      items.map(({ name, quantity, unitPriceCents, subtotalCents }) => ({
        description: name,
        quantity,
        unitPrice: twoDecimals(unitPriceCents),
        total: twoDecimals(subtotalCents),
      })),
    ),
    total: twoDecimals(total_cents),
  }
}

/** 12345 → '123.45'. */
function twoDecimals(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
