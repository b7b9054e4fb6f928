import type { NewLines } from '#contract/billing/invoice.ts'
import { roundedShare } from '#platform/decimal.ts'
import { amountsOf, negated } from '../amounts.ts'
import type { InvoiceRow } from '../invoice.row.ts'

type Rectified = Pick<InvoiceRow, 'lines' | 'total_cents'>

/**
 * Lines that take exactly this amount off the total, taxes included, in proportion to the groups of lines with the
 * same taxes. A rounding difference gets a line of its own.
 */
export function rectifyingLines(rectified: Rectified, amountCents: number, description: string): NewLines {
  if (amountCents === rectified.total_cents) return negated(rectified.lines)
  const groups = new Map<string, { taxes: NewLines[number]['taxes']; subtotal: number }>()
  for (const { taxes, subtotalCents } of rectified.lines) {
    const key = JSON.stringify(taxes)
    groups.set(key, { taxes, subtotal: (groups.get(key)?.subtotal ?? 0) + subtotalCents })
  }
  const lines: NewLines = [...groups.values()].map(({ taxes, subtotal }) => ({
    description,
    quantity: '-1',
    taxes,
    unitPriceCents: Number(roundedShare(subtotal, amountCents, rectified.total_cents)),
  }))
  const rest = -amountCents - amountsOf(lines).total_cents
  return rest === 0 ? lines : [...lines, { description, unitPriceCents: rest }]
}
