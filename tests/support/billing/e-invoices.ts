import fc from 'fast-check'
import type { NewLines } from '#contract/billing/invoice.ts'
import { amountsOf } from '#server/billing/invoices/amounts.ts'
import type { EInvoice } from '#server/billing/invoices/e-invoices/e-invoice.rules.ts'
import { whereabouts } from './invoices.ts'

const issuer = {
  name: 'Talleres Patio SL',
  taxId: 'B76543214',
  address: 'Calle Sol 3',
  city: 'Cádiz',
  postalCode: '11003',
  country: 'ES',
  email: 'hola@patio.example',
}

type Given = Omit<Partial<EInvoice>, 'lines' | 'recipient'> & {
  lines?: NewLines
  recipient?: Partial<EInvoice['recipient']>
}

/** An issued invoice with the computed amounts of its lines. Omitted values are made up. */
export function eInvoice({ lines, recipient, ...given }: Given = {}): EInvoice {
  const work = { description: 'Work', unitPriceCents: 10_000, taxes: [{ name: 'IVA', rate: '21' }] }
  return {
    number: 'F2026-000001',
    series: 'F2026',
    issue_date: '2026-03-02',
    due_date: '2026-04-01',
    currency: 'eur',
    ...amountsOf(lines ?? [work]),
    issuer,
    recipient: { name: 'Ánimas & Sons SA', ...whereabouts, email: null, ...recipient },
    letterhead: null,
    notes: null,
    rectified: null,
    rectifying_reason: null,
    ...given,
  }
}

const rectified = { number: 'F2025-000007', series: 'F2025', issue_date: '2025-12-30' }

/** An invoice with a part of everything; its files are in tests/vectors. */
export const rectifyingEInvoice = eInvoice({
  number: 'R2026-000001',
  series: 'R2026',
  rectified,
  rectifying_reason: 'Precio equivocado',
  notes: 'Gracias & "saludos"',
  letterhead: {
    accentColor: null,
    accountHolder: 'Talleres Patio',
    iban: 'ES9121000418450200051332',
    bic: 'CAIXESBB',
    footer: null,
    logo: null,
  },
  recipient: { name: 'Ana María Ruiz Sáez', taxId: '12345678-Z', email: 'ana@ruiz.example' },
  lines: [
    {
      unitPriceCents: 10_000,
      description: 'Diseño\nsegunda línea',
      quantity: '2.5',
      discountPercent: '12.5',
      taxes: [
        { name: 'IVA', rate: '21' },
        { name: 'IRPF', rate: '-15' },
      ],
    },
    { description: 'Libro', unitPriceCents: -1_050, taxes: [{ name: 'IVA', rate: '4' }] },
    { description: 'Sello', unitPriceCents: 99 },
  ],
})

const tax = (name: string, ...rates: string[]) => fc.constantFrom(...rates.map(rate => ({ name, rate })))
const vat = fc.oneof(
  tax('IVA', '21', '10', '4', '5.5', '0'),
  tax('I.V.A. general', '21'),
  tax('IGIC', '7', '0'),
  tax('IPSI', '4'),
  tax('IVA exento', '0'),
)
const withheld = fc.oneof(tax('IRPF', '-15', '-19', '-7', '0'), tax('Retención', '-2.5'))
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.constant(' \n]]>\u0007&<'),
)
const optionally = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined })

const anyLines = fc.array(
  fc
    .record({
      description: text,
      quantity: fc.integer({ min: -99_999, max: 9_999_999 }).map(n => (n / 1_000).toFixed(3)),
      unitPriceCents: fc.integer({ min: -1_000_000, max: 10_000_000 }),
      discountPercent: fc.option(fc.integer({ min: 0, max: 10_000 }).map(n => (n / 100).toFixed(2))),
      vat: optionally(vat),
      withheld: optionally(withheld),
    })
    .map(({ vat, withheld, ...line }) => ({
      ...line,
      taxes: [vat, withheld].filter(one => one !== undefined),
    })),
  { minLength: 1, maxLength: 12 },
)

/** Any invoice that both formats can represent: lines with at most one VAT and one withheld tax. */
export const anyEInvoice: fc.Arbitrary<EInvoice> = fc
  .record({
    lines: anyLines,
    isRectifying: fc.boolean(),
    notes: fc.option(text),
    hasAccount: fc.boolean(),
    country: fc.constantFrom('ES', 'FR', 'GR', 'US'),
  })
  .map(({ lines, isRectifying, notes, hasAccount, country }) =>
    eInvoice({
      lines,
      notes,
      recipient: { country },
      ...(isRectifying && { rectified, rectifying_reason: 'Precio equivocado' }),
      letterhead: hasAccount
        ? {
            accentColor: null,
            accountHolder: 'Talleres Patio',
            iban: 'ES9121000418450200051332',
            bic: 'CAIXESBB',
            footer: null,
            logo: null,
          }
        : null,
    }),
  )
