import { exponentOf } from '#platform/currency.ts'
import { decimalOf, decimalText, roundedProduct } from '#platform/decimal.ts'
import type { ErrorDetail } from '#platform/fail.ts'
import { required } from '#platform/required.ts'
import { element, type XmlElement, xmlDocument } from '#platform/xml.ts'
import { perCent } from '../amounts.ts'
import type { InvoiceLine, InvoiceTax, Party } from '../invoice.row.ts'
import {
  type EInvoice,
  type EInvoiceLine,
  eInvoiceLines,
  isWithheld,
  missing,
  type TaxKind,
  taxKindOf,
  vatIdOf,
  withheldTaxes,
} from './e-invoice.rules.ts'

const namespaces = {
  xmlns: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
}
/** EN 16931 allows no more (BR-DEC). */
const mostDecimals = 2
/** Codes of UNTDID 1001, UNTDID 4461, UNTDID 5189 and UN/ECE Recommendation 20. */
const codes = { invoice: '380', correctedInvoice: '384', creditTransfer: '30', discount: '95', one: 'C62' }
const noVatReason = 'La factura no repercute IVA por estas líneas'

/** What EN 16931 cannot express about an invoice, or needs and does not have (EINV-3, EINV-5). */
export function ublProblems({ currency, issuer, recipient, lines }: EInvoice): ErrorDetail[] {
  const needed: [path: string, value: string | null][] = [
    ['issuer.taxId', issuer.taxId],
    ['issuer.country', issuer.country],
    ['recipient.country', recipient.country],
  ]
  const decimals = exponentOf(currency)
  return [
    ...needed.filter(([, value]) => value === null).map(([path]) => missing(path)),
    ...(decimals > mostDecimals
      ? [
          {
            path: 'currency',
            code: 'not_supported',
            message: `${currency.toUpperCase()} has ${decimals} decimals, and EN 16931 allows two`,
          },
        ]
      : []),
    ...lines.flatMap((line, at) => {
      const problem = vatProblem(line)
      return problem === undefined
        ? []
        : [{ path: `lines.${at}.taxes`, code: 'not_supported', message: problem }]
    }),
  ]
}

/** The invoice in UBL 2.1 with the core model of EN 16931. `ublProblems` must be empty. */
export function ublOf(invoice: EInvoice): string {
  const { number, issue_date, due_date, currency, rectified, rectifying_reason, issuer, recipient } = invoice
  const totals = totalsOf(invoice)
  const withheld = withheldTaxes(invoice)
  const money = moneyOf(currency)
  return xmlDocument(
    element(
      'Invoice',
      [
        basic('CustomizationID', 'urn:cen.eu:en16931:2017'),
        basic('ID', number),
        basic('IssueDate', issue_date),
        due_date !== null && basic('DueDate', due_date),
        basic('InvoiceTypeCode', rectified ? codes.correctedInvoice : codes.invoice),
        invoice.notes !== null && invoice.notes.trim() !== '' && basic('Note', invoice.notes),
        rectifying_reason !== null && basic('Note', `Motivo de la rectificación: ${rectifying_reason}`),
        basic('DocumentCurrencyCode', currency.toUpperCase()),
        rectified &&
          aggregate('BillingReference', [
            aggregate('InvoiceDocumentReference', [
              basic('ID', rectified.number),
              basic('IssueDate', rectified.issue_date),
            ]),
          ]),
        aggregate('AccountingSupplierParty', [partyOf(issuer)]),
        aggregate('AccountingCustomerParty', [partyOf(recipient)]),
        paymentMeans(invoice),
        withheld.length > 0 && aggregate('PaymentTerms', [basic('Note', withheldNote(invoice, withheld))]),
        aggregate('TaxTotal', [
          money('TaxAmount', totals.vatCents),
          ...totals.groups.map(group =>
            aggregate('TaxSubtotal', [
              money('TaxableAmount', group.baseCents),
              money('TaxAmount', group.amountCents),
              aggregate('TaxCategory', [
                basic('ID', group.category),
                basic('Percent', group.rate),
                group.category === 'E' && basic('TaxExemptionReason', [...group.reasons].join('; ')),
                taxScheme('VAT'),
              ]),
            ]),
          ),
        ]),
        withheld.length > 0 && withholdingTotal(withheld, money),
        aggregate('LegalMonetaryTotal', [
          money('LineExtensionAmount', invoice.subtotal_cents),
          money('TaxExclusiveAmount', invoice.subtotal_cents),
          money('TaxInclusiveAmount', totals.inclusiveCents),
          totals.roundingCents !== 0 && money('PayableRoundingAmount', totals.roundingCents),
          money('PayableAmount', totals.payableCents),
        ]),
        ...eInvoiceLines(invoice.lines).map((line, at) => lineOf(line, at, money)),
      ],
      namespaces,
    ),
  )
}

const basic = (name: string, text: string) => element(`cbc:${name}`, text)
const aggregate = (name: string, content: Parameters<typeof element>[1]) => element(`cac:${name}`, content)
const taxScheme = (id: string) => aggregate('TaxScheme', [basic('ID', id)])

type Money = (name: string, cents: number | bigint) => XmlElement
/** Amounts with the decimals of the currency. */
function moneyOf(currency: string): Money {
  const places = exponentOf(currency)
  return (name, cents) =>
    element(`cbc:${name}`, decimalText(cents, places), { currencyID: currency.toUpperCase() })
}

/** The content of a party. `ublProblems` must be empty. */
function partyOf({ name, taxId, address, city, postalCode, email, ...party }: Party): XmlElement {
  const country = required(party.country, 'the country of a party')
  return aggregate('Party', [
    aggregate('PostalAddress', [
      address !== null && basic('StreetName', address),
      city !== null && basic('CityName', city),
      postalCode !== null && basic('PostalZone', postalCode),
      aggregate('Country', [basic('IdentificationCode', country)]),
    ]),
    taxId !== null &&
      aggregate('PartyTaxScheme', [basic('CompanyID', vatIdOf(taxId, country)), taxScheme('VAT')]),
    aggregate('PartyLegalEntity', [basic('RegistrationName', name)]),
    email !== null && aggregate('Contact', [basic('ElectronicMail', email)]),
  ])
}

/** The bank account of the letterhead, if something can be due. */
function paymentMeans({ letterhead, total_cents, number }: EInvoice): XmlElement | false {
  if (!letterhead?.iban || total_cents <= 0) return false
  const { iban, bic, accountHolder } = letterhead
  return aggregate('PaymentMeans', [
    basic('PaymentMeansCode', codes.creditTransfer),
    basic('PaymentID', number),
    aggregate('PayeeFinancialAccount', [
      basic('ID', iban),
      accountHolder !== null && basic('Name', accountHolder),
      bic !== null && aggregate('FinancialInstitutionBranch', [basic('ID', bic)]),
    ]),
  ])
}

/** EN 16931 has no withheld taxes: the payer reads here how much remains to be paid (EINV-8). */
function withheldNote({ currency, total_cents }: EInvoice, withheld: readonly InvoiceTax[]): string {
  const spanish = (text: string) => text.replace('.', ',')
  const money = (cents: number) =>
    `${spanish(decimalText(cents, exponentOf(currency)))} ${currency.toUpperCase()}`
  const taxes = withheld.map(
    ({ name, rate, amountCents }) => `${name} ${spanish(rate)} %: ${money(amountCents)}`,
  )
  return `Retenciones: ${taxes.join('; ')}. Importe una vez descontadas: ${money(total_cents)}`
}

function withholdingTotal(withheld: readonly InvoiceTax[], money: Money): XmlElement {
  return aggregate('WithholdingTaxTotal', [
    money('TaxAmount', sum(withheld.map(({ amountCents }) => amountCents))),
    ...withheld.map(({ name, rate, baseCents, amountCents }) =>
      aggregate('TaxSubtotal', [
        money('TaxableAmount', baseCents),
        money('TaxAmount', amountCents),
        aggregate('TaxCategory', [basic('Percent', rate), taxScheme(name)]),
      ]),
    ),
  ])
}

function lineOf(line: EInvoiceLine, at: number, money: Money): XmlElement {
  const { category, rate } = vatOf(line)
  const name = line.description.split('\n').find(part => part.trim() !== '') ?? '-'
  return aggregate('InvoiceLine', [
    basic('ID', String(at + 1)),
    element('cbc:InvoicedQuantity', line.quantity, { unitCode: codes.one }),
    money('LineExtensionAmount', line.subtotalCents),
    line.discount &&
      aggregate('AllowanceCharge', [
        basic('ChargeIndicator', 'false'),
        basic('AllowanceChargeReasonCode', codes.discount),
        basic('AllowanceChargeReason', 'Descuento'),
        basic('MultiplierFactorNumeric', line.discount.percent),
        money('Amount', line.discount.cents),
        money('BaseAmount', line.grossCents),
      ]),
    aggregate('Item', [
      name !== line.description && name !== '-' && basic('Description', line.description),
      basic('Name', name),
      aggregate('ClassifiedTaxCategory', [basic('ID', category), basic('Percent', rate), taxScheme('VAT')]),
    ]),
    aggregate('Price', [money('PriceAmount', line.unitPriceCents)]),
  ])
}

/** A VAT category of UNTDID 5305: standard, zero rate, exempt, IGIC, IPSI. */
type VatCategory = 'S' | 'Z' | 'E' | 'L' | 'M'
type LineVat = { category: VatCategory; rate: string; reasons: string[] }

const categories: Partial<Record<TaxKind, VatCategory>> = { VAT: 'S', IGIC: 'L', IPSI: 'M' }

/** The taxes of a line that are added to the amount and have a place in EN 16931. */
function vatsOf(taxes: InvoiceLine['taxes']) {
  return taxes.flatMap(tax => {
    const category = categories[taxKindOf(tax)]
    return category && !isWithheld(tax) ? [{ tax, category }] : []
  })
}

function vatProblem({ taxes }: InvoiceLine): string | undefined {
  const vats = vatsOf(taxes)
  if (vats.length > 1) return 'has more than one value added tax, and EN 16931 allows one'
  const other = taxes.find(tax => !isWithheld(tax) && tax.rate !== '0' && !vats.some(vat => vat.tax === tax))
  return other && `has the tax ${other.name}, and EN 16931 has value added taxes only`
}

/** The VAT of a line. Without one it is exempt, for the reasons that its other taxes of 0 % name (EINV-7). */
function vatOf({ taxes }: Pick<InvoiceLine, 'taxes'>): LineVat {
  const [vat] = vatsOf(taxes)
  if (vat) {
    const { category, tax } = vat
    return { category: category === 'S' && tax.rate === '0' ? 'Z' : category, rate: tax.rate, reasons: [] }
  }
  const reasons = taxes.filter(tax => !isWithheld(tax)).map(({ name }) => name)
  return { category: 'E', rate: '0', reasons: reasons.length > 0 ? reasons : [noVatReason] }
}

type VatGroup = {
  category: VatCategory
  rate: string
  reasons: Set<string>
  baseCents: number
  amountCents: number
}

/**
 * The totals of EN 16931. The VAT of each category and rate is computed from its base, as the standard requires. Two
 * names for one rate were rounded separately in the invoice; the rounding amount then keeps the total of the invoice.
 */
function totalsOf({ lines, taxes, subtotal_cents, total_cents }: EInvoice) {
  const groups = new Map<string, VatGroup>()
  for (const line of lines) {
    const { category, rate, reasons } = vatOf(line)
    const key = `${category} ${rate}`
    const group = groups.get(key) ?? { category, rate, reasons: new Set(), baseCents: 0, amountCents: 0 }
    for (const reason of reasons) group.reasons.add(reason)
    group.baseCents += line.subtotalCents
    group.amountCents = Number(roundedProduct(group.baseCents, perCent(decimalOf(rate))))
    groups.set(key, group)
  }
  const vatCents = sum([...groups.values()].map(({ amountCents }) => amountCents))
  const inclusiveCents = subtotal_cents + vatCents
  const payableCents = total_cents - sum(taxes.filter(isWithheld).map(({ amountCents }) => amountCents))
  return {
    groups: [...groups.values()],
    vatCents,
    inclusiveCents,
    payableCents,
    roundingCents: payableCents - inclusiveCents,
  }
}

const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)
