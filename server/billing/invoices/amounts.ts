import type { NewLines } from '#contract/billing/invoice.ts'
import { limits } from '#contract/limits.ts'
import { type Decimal, decimalOf, negatedDecimal, plainDecimal, roundedProduct } from '#platform/decimal.ts'
import { fail } from '#platform/fail.ts'
import type { InvoiceLine, InvoiceRow, InvoiceTax } from './invoice.row.ts'

/** The stored amounts of an invoice. */
export type Amounts = Pick<InvoiceRow, 'lines' | 'taxes' | 'subtotal_cents' | 'tax_cents' | 'total_cents'>

const hundred = decimalOf('100')
/** A rate in per cent as a factor. */
export const perCent = (rate: Decimal): Decimal => ({ units: rate.units, places: rate.places + 2 })

/**
 * Computes the amounts of an invoice: each line is rounded, and each tax is computed on the sum of its lines and
 * rounded, half a cent away from zero. Refuses VALIDATION_ERROR for a discount above 100 %, a tax that a line names
 * twice, and amounts that are too large.
 */
export function amountsOf(input: NewLines): Amounts {
  const lines = input.map(lineOf)
  const taxes = taxesOf(lines)
  const subtotal_cents = sum(lines.map(({ subtotalCents }) => subtotalCents))
  const tax_cents = sum(taxes.map(({ amountCents }) => amountCents))
  const total_cents = subtotal_cents + tax_cents
  const figures = taxes.flatMap(({ baseCents, amountCents }) => [baseCents, amountCents])
  for (const cents of [...figures, subtotal_cents, tax_cents, total_cents]) assertWithinLimit(cents, 'lines')
  return { lines, taxes, subtotal_cents, tax_cents, total_cents }
}

/** The lines with opposite signs, for a rectifying invoice. */
export function negated(lines: readonly InvoiceLine[]): NewLines {
  return lines.map(({ subtotalCents: _computed, quantity, ...line }) => ({
    ...line,
    quantity: negatedDecimal(quantity),
  }))
}

function lineOf(input: NewLines[number], at: number): InvoiceLine {
  const { description, unitPriceCents, quantity = '1', discountPercent = null, taxes = [] } = input
  const path = `lines.${at}`
  const off = decimalOf(discountPercent ?? '0')
  const left = { units: hundred.units * 10n ** BigInt(off.places) - off.units, places: off.places }
  if (off.units < 0n || left.units < 0n)
    refuse(`${path}.discountPercent`, 'range', 'must be between 0 and 100')
  const read = taxes.map(({ name, rate }) => ({ name: name.trim(), rate: plainDecimal(rate) }))
  if (new Set(read.map(taxKeyOf)).size < read.length) refuse(`${path}.taxes`, 'twice', 'names a tax twice')
  const subtotalCents = Number(roundedProduct(unitPriceCents, decimalOf(quantity), perCent(left)))
  assertWithinLimit(subtotalCents, path)
  return {
    description: description.normalize('NFC').replaceAll('\r\n', '\n'),
    quantity: plainDecimal(quantity),
    unitPriceCents,
    discountPercent: discountPercent === null || off.units === 0n ? null : plainDecimal(discountPercent),
    taxes: read,
    subtotalCents,
  }
}

/** The taxes of all lines, in the order of the lines. */
function taxesOf(lines: readonly InvoiceLine[]): InvoiceTax[] {
  const bases = new Map<string, { name: string; rate: string; baseCents: number }>()
  for (const { taxes, subtotalCents } of lines) {
    for (const tax of taxes) {
      const before = bases.get(taxKeyOf(tax))
      bases.set(taxKeyOf(tax), { ...tax, baseCents: (before?.baseCents ?? 0) + subtotalCents })
    }
  }
  return [...bases.values()].map(tax => ({
    ...tax,
    amountCents: Number(roundedProduct(tax.baseCents, perCent(decimalOf(tax.rate)))),
  }))
}

const taxKeyOf = ({ name, rate }: { name: string; rate: string }) => `${rate} ${name}`
const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)

function assertWithinLimit(cents: number, path: string): void {
  if (Math.abs(cents) > limits.invoiceCents)
    refuse(path, 'too_much', 'is more than the largest amount of an invoice')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
