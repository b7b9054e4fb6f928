import type { Letterhead } from '#contract/crm/letterhead.ts'
import { decimalOf, negatedDecimal, roundedProduct } from '#platform/decimal.ts'
import type { ErrorDetail } from '#platform/fail.ts'
import { fold } from '#platform/fold.ts'
import type { InvoiceLine, InvoiceRow, InvoiceTax, Party } from '../invoice.row.ts'

/** An issued invoice with the data that its electronic formats contain. They do not depend on payments. */
export type EInvoice = Pick<
  InvoiceRow,
  | 'currency'
  | 'lines'
  | 'taxes'
  | 'subtotal_cents'
  | 'total_cents'
  | 'notes'
  | 'due_date'
  | 'rectifying_reason'
> & {
  number: string
  series: string
  issue_date: string
  issuer: Party
  recipient: Party
  letterhead: Letterhead | null
  /** The invoice that it rectifies. */
  rectified: { number: string; series: string; issue_date: string } | null
}

/**
 * The recipient with the tax id and the postal code that the invoice lacks, taken from the client (EINV-4). The client
 * must still have the name and the address of the invoice, so that no data of two addresses are mixed.
 */
export function completedRecipient(recipient: Party, client: Party): Party {
  const same = (['name', 'address', 'city', 'country'] as const).every(key => recipient[key] === client[key])
  if (!same) return recipient
  return {
    ...recipient,
    taxId: recipient.taxId ?? client.taxId,
    postalCode: recipient.postalCode ?? client.postalCode,
  }
}

/** A detail of INVOICE_FORMAT_UNAVAILABLE about a datum that the format needs. */
export function missing(path: string): ErrorDetail {
  return { path, code: 'required', message: 'is required by this format' }
}

/** A detail about a text that is longer than the format allows; none if it is not. */
export function tooLong(path: string, text: string | null, most: number): ErrorDetail[] {
  if (text === null || [...text].length <= most) return []
  return [{ path, code: 'too_long', message: `has more than the ${most} characters of this format` }]
}

/** The kinds of taxes that the formats distinguish. A withheld tax is subtracted from the total. */
export type TaxKind = 'VAT' | 'IGIC' | 'IPSI' | 'SURCHARGE' | 'IRPF' | 'IRNR' | 'OTHER'
type NamedTax = { name: string; rate: string }

const kinds = new Map<string, TaxKind>([
  ...'iva vat tva mwst ust btw moms alv dph ddv pdv pvm bez'.split(' ').map(name => [name, 'VAT'] as const),
  ['igic', 'IGIC'],
  ['ipsi', 'IPSI'],
  ['re', 'SURCHARGE'],
  ['req', 'SURCHARGE'],
  ['recargo', 'SURCHARGE'],
  ['irpf', 'IRPF'],
  ['irnr', 'IRNR'],
])

/**
 * The kind of a tax by the first word of its name: `IVA`, `I.V.A. general`. A rate of zero needs the name alone,
 * because a longer one says why there is no tax: `IVA exento`.
 */
export function taxKindOf({ name, rate }: NamedTax): TaxKind {
  const [first = '', ...others] =
    fold(name)
      .replaceAll('.', '')
      .match(/\p{L}+/gu) ?? []
  return rate === '0' && others.length > 0 ? 'OTHER' : (kinds.get(first) ?? 'OTHER')
}

export function isWithheld(tax: NamedTax): boolean {
  const kind = taxKindOf(tax)
  return tax.rate.startsWith('-') || (tax.rate === '0' && (kind === 'IRPF' || kind === 'IRNR'))
}

/** Whether two entries are the same tax of an invoice. */
export function isSameTax(one: NamedTax, other: NamedTax): boolean {
  return one.name === other.name && one.rate === other.rate
}

/** The withheld taxes of an invoice with positive rates and amounts. */
export function withheldTaxes({ taxes }: Pick<InvoiceRow, 'taxes'>): InvoiceTax[] {
  return taxes.filter(isWithheld).map(tax => ({
    ...tax,
    rate: withheldRate(tax),
    amountCents: 0 - tax.amountCents,
  }))
}

export function withheldRate({ rate }: NamedTax): string {
  return rate === '0' ? rate : negatedDecimal(rate)
}

/** A line without a negative price: the sign moves to the quantity. Amounts are in the smallest unit. */
export type EInvoiceLine = Pick<InvoiceLine, 'description' | 'taxes' | 'subtotalCents'> & {
  quantity: string
  unitPriceCents: number
  /** Before the discount. A line with a discount of 100 % may exceed the numbers that are exact. */
  grossCents: bigint
  /** Exactly the difference between the gross amount and the stored one; null without a discount. */
  discount: { percent: string; cents: bigint } | null
}

/** The lines as the formats show them: gross amount less discount is exactly the stored amount. */
export function eInvoiceLines(lines: readonly InvoiceLine[]): EInvoiceLine[] {
  return lines.map(({ description, taxes, subtotalCents, unitPriceCents, quantity, discountPercent }) => {
    const grossCents = roundedProduct(unitPriceCents, decimalOf(quantity))
    const percent = discountPercent
    return {
      description,
      taxes,
      subtotalCents,
      quantity: unitPriceCents < 0 ? negatedDecimal(quantity) : quantity,
      unitPriceCents: Math.abs(unitPriceCents),
      grossCents,
      discount: percent === null ? null : { percent, cents: grossCents - BigInt(subtotalCents) },
    }
  })
}

/** A tax id without spaces, dots, dashes and slashes, in capital letters. */
export function plainTaxId(taxId: string): string {
  return taxId.toUpperCase().replace(/[\s./-]/g, '')
}

/** A VAT identifier: with the prefix of the country, which is EL for Greece. */
export function vatIdOf(taxId: string, country: string): string {
  const prefix = country === 'GR' ? 'EL' : country
  const plain = plainTaxId(taxId)
  return plain.startsWith(prefix) ? plain : `${prefix}${plain}`
}
