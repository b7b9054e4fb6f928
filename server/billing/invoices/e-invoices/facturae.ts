import { whereAlpha2 } from 'iso-3166-1'
import { decimalText } from '#platform/decimal.ts'
import type { ErrorDetail } from '#platform/fail.ts'
import { required } from '#platform/required.ts'
import { element, type XmlElement, xmlDocument } from '#platform/xml.ts'
import type { InvoiceLine, InvoiceTax, Party } from '../invoice.row.ts'
import {
  type EInvoice,
  type EInvoiceLine,
  eInvoiceLines,
  isSameTax,
  isWithheld,
  missing,
  plainTaxId,
  type TaxKind,
  taxKindOf,
  tooLong,
  vatIdOf,
  withheldRate,
  withheldTaxes,
} from './e-invoice.rules.ts'
import { provinceOf } from './provinces.ts'

const namespace = 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml'
/** The lengths of the schema of Facturae 3.2.2, in characters. */
const most = { corporateName: 80, personName: 40, address: 80, town: 50, taxId: 30, email: 60, notes: 2_500 }
const leastTaxId = 3
/** Codes of the schema: cash is 01. */
const transfer = '04'
const unit = '01'
const taxCodes: Record<TaxKind, string> = {
  VAT: '01',
  IPSI: '02',
  IGIC: '03',
  IRPF: '04',
  IRNR: '28',
  SURCHARGE: '05',
  OTHER: '05',
}
/** The member states of the EU, whose residents have the code U. */
const eu = new Set('AT BE BG CY CZ DE DK EE FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))
/** Countries of ISO 3166-1 that the schema does not list. */
const unlisted = new Set('AX AQ BQ BV IO CX CC CW TF HM BL MF SX GS SS UM'.split(' '))

/** What Facturae cannot express about an invoice, or needs and does not have (EINV-3, EINV-5). */
export function facturaeProblems({ currency, issuer, recipient, notes }: EInvoice): ErrorDetail[] {
  return [
    ...(currency === 'eur'
      ? []
      : [
          {
            path: 'currency',
            code: 'not_supported',
            message:
              'is not the euro, and Facturae then needs an exchange rate, which the invoice does not have',
          },
        ]),
    ...partyProblems('issuer', issuer),
    ...partyProblems('recipient', recipient),
    ...tooLong('notes', notes, most.notes),
  ]
}

/** The invoice in Facturae 3.2.2, without a signature. `facturaeProblems` must be empty. */
export function facturaeOf(invoice: EInvoice): string {
  const { issuer, recipient, currency, total_cents, number } = invoice
  const total = text('TotalAmount', amount(total_cents))
  return xmlDocument(
    element(
      'fe:Facturae',
      [
        element('FileHeader', [
          text('SchemaVersion', '3.2.2'),
          text('Modality', 'I'),
          text('InvoiceIssuerType', 'EM'),
          element('Batch', [
            text('BatchIdentifier', `${plainTaxId(completeParty(issuer).taxId)}${number}`),
            text('InvoicesCount', '1'),
            element('TotalInvoicesAmount', [total]),
            element('TotalOutstandingAmount', [total]),
            element('TotalExecutableAmount', [total]),
            text('InvoiceCurrencyCode', currency.toUpperCase()),
          ]),
        ]),
        element('Parties', [
          element('SellerParty', partyOf(issuer)),
          element('BuyerParty', partyOf(recipient)),
        ]),
        element('Invoices', [element('Invoice', bodyOf(invoice))]),
      ],
      { 'xmlns:fe': namespace },
    ),
  )
}

const text = (name: string, content: string) => element(name, content)
const amount = (cents: number | bigint) => decimalText(cents, 2)
const total = (name: string, cents: number) => element(name, [text('TotalAmount', amount(cents))])
/** A rate with at least two decimals. */
const rateText = (rate: string) => {
  const [whole, part = ''] = rate.split('.')
  return `${whole}.${part.padEnd(2, '0')}`
}

function bodyOf(invoice: EInvoice): XmlElement[] {
  const { number, series, issue_date, currency, rectified, notes } = invoice
  const outputs = outputTaxes(invoice)
  const withheld = withheldTaxes(invoice)
  const withheldCents = sum(withheld)
  return [
    element('InvoiceHeader', [
      ...numberOf(number, series),
      text('InvoiceDocumentType', 'FC'),
      text('InvoiceClass', rectified ? 'OR' : 'OO'),
      rectified && correctiveOf(invoice, rectified),
    ]),
    element('InvoiceIssueData', [
      text('IssueDate', issue_date),
      text('InvoiceCurrencyCode', currency.toUpperCase()),
      text('TaxCurrencyCode', 'EUR'),
      text('LanguageName', 'es'),
    ]),
    element('TaxesOutputs', [
      ...outputs.map(({ tax, surcharge }) =>
        element('Tax', [
          text('TaxTypeCode', taxCodes[taxKindOf(tax)]),
          text('TaxRate', rateText(tax.rate)),
          total('TaxableBase', tax.baseCents),
          total('TaxAmount', tax.amountCents),
          surcharge && text('EquivalenceSurcharge', rateText(surcharge.rate)),
          surcharge && total('EquivalenceSurchargeAmount', surcharge.amountCents),
        ]),
      ),
      ...untaxedOf(invoice),
    ]),
    ...(withheld.length > 0
      ? [
          element(
            'TaxesWithheld',
            withheld.map(tax => withheldTax(tax, tax.baseCents, tax.amountCents)),
          ),
        ]
      : []),
    element('InvoiceTotals', [
      text('TotalGrossAmount', amount(invoice.subtotal_cents)),
      text('TotalGrossAmountBeforeTaxes', amount(invoice.subtotal_cents)),
      text('TotalTaxOutputs', amount(invoice.total_cents - invoice.subtotal_cents + withheldCents)),
      text('TotalTaxesWithheld', amount(withheldCents)),
      text('InvoiceTotal', amount(invoice.total_cents)),
      text('TotalOutstandingAmount', amount(invoice.total_cents)),
      text('TotalExecutableAmount', amount(invoice.total_cents)),
    ]),
    element(
      'Items',
      eInvoiceLines(invoice.lines).map(line => lineOf(line, outputs)),
    ),
    ...paymentOf(invoice),
    ...(notes === null || notes.trim() === ''
      ? []
      : [element('AdditionalData', [text('InvoiceAdditionalInformation', notes)])]),
  ]
}

/** Series and number: one after the other, they are the number of the invoice. */
function numberOf(number: string, series: string): XmlElement[] {
  const prefix = `${series}-`
  return [text('InvoiceNumber', number.slice(prefix.length)), text('InvoiceSeriesCode', prefix)]
}

/** A rectifying invoice contains the difference. Its reason is a text of people, not a code of Facturae. */
function correctiveOf(
  { rectifying_reason }: EInvoice,
  { number, series, issue_date }: NonNullable<EInvoice['rectified']>,
): XmlElement {
  return element('Corrective', [
    ...numberOf(number, series),
    text('ReasonCode', '10'),
    text('ReasonDescription', 'Detalle Operación'),
    element('TaxPeriod', [text('StartDate', issue_date), text('EndDate', issue_date)]),
    text('CorrectionMethod', '02'),
    text('CorrectionMethodDescription', 'Rectificación por diferencias'),
    rectifying_reason !== null && text('AdditionalReasonDescription', rectifying_reason),
    text('InvoiceIssueDate', issue_date),
  ])
}

/** A tax with the surcharge of equivalence that the same lines carry. */
type OutputTax = { tax: InvoiceTax; surcharge: InvoiceTax | null }

/**
 * The taxes that are added. A surcharge belongs to the VAT of exactly the same lines, so that both amounts are those of
 * the invoice; any other surcharge is a tax of its own.
 */
function outputTaxes({ taxes, lines }: Pick<EInvoice, 'taxes' | 'lines'>): OutputTax[] {
  const linesOf = (tax: InvoiceTax) =>
    lines.flatMap((line, at) => (line.taxes.some(one => isSameTax(one, tax)) ? [at] : [])).join()
  const added = taxes.filter(tax => !isWithheld(tax))
  const surcharges = new Set(
    added.filter(tax => taxKindOf(tax) === 'SURCHARGE' && (tax.rate.split('.')[1] ?? '').length <= 2),
  )
  const pairs = added
    .filter(tax => taxKindOf(tax) === 'VAT')
    .map(tax => {
      const surcharge = [...surcharges].find(one => linesOf(one) === linesOf(tax)) ?? null
      if (surcharge) surcharges.delete(surcharge)
      return { tax, surcharge }
    })
  const paired = new Set(pairs.flatMap(({ tax, surcharge }) => [tax, surcharge]))
  return [...pairs, ...added.filter(tax => !paired.has(tax)).map(tax => ({ tax, surcharge: null }))]
}

/** The lines without any tax, as VAT of 0 %, because the schema requires a tax of each line. */
function untaxedOf({ lines }: EInvoice): XmlElement[] {
  const untaxed = lines.filter(({ taxes }) => taxes.every(isWithheld))
  if (untaxed.length === 0) return []
  const baseCents = untaxed.reduce((all, { subtotalCents }) => all + subtotalCents, 0)
  return [noTax(baseCents, [total('TaxAmount', 0)])]
}

const noTax = (baseCents: number, more: XmlElement[] = []) =>
  element('Tax', [
    text('TaxTypeCode', taxCodes.VAT),
    text('TaxRate', '0.00'),
    total('TaxableBase', baseCents),
    ...more,
  ])

function withheldTax(tax: InvoiceLine['taxes'][number], baseCents: number, amountCents?: number): XmlElement {
  return element('Tax', [
    text('TaxTypeCode', taxCodes[taxKindOf(tax)]),
    text('TaxRate', rateText(tax.rate)),
    total('TaxableBase', baseCents),
    amountCents !== undefined && total('TaxAmount', amountCents),
  ])
}

/** A line. Taxes have no amount here, because an invoice computes each tax once for all its lines. */
function lineOf(line: EInvoiceLine, outputs: readonly OutputTax[]): XmlElement {
  const has = (tax: InvoiceTax) => line.taxes.some(one => isSameTax(one, tax))
  const taxes = outputs.filter(({ tax }) => has(tax))
  const withheld = line.taxes.filter(isWithheld)
  return element('InvoiceLine', [
    text('ItemDescription', line.description),
    text('Quantity', line.quantity),
    text('UnitOfMeasure', unit),
    text('UnitPriceWithoutTax', amount(line.unitPriceCents)),
    text('TotalCost', amount(line.grossCents)),
    line.discount &&
      element('DiscountsAndRebates', [
        element('Discount', [
          text('DiscountReason', 'Descuento'),
          text('DiscountRate', rateText(line.discount.percent)),
          text('DiscountAmount', amount(line.discount.cents)),
        ]),
      ]),
    text('GrossAmount', amount(line.subtotalCents)),
    withheld.length > 0 &&
      element(
        'TaxesWithheld',
        withheld.map(tax => withheldTax({ ...tax, rate: withheldRate(tax) }, line.subtotalCents)),
      ),
    element(
      'TaxesOutputs',
      taxes.length === 0
        ? [noTax(line.subtotalCents)]
        : taxes.map(({ tax, surcharge }) =>
            element('Tax', [
              text('TaxTypeCode', taxCodes[taxKindOf(tax)]),
              text('TaxRate', rateText(tax.rate)),
              total('TaxableBase', line.subtotalCents),
              surcharge && text('EquivalenceSurcharge', rateText(surcharge.rate)),
            ]),
          ),
    ),
  ])
}

/** The transfer of the total by the due date, if a bank account is known and something can be due. */
function paymentOf({ letterhead, total_cents, due_date, number }: EInvoice): XmlElement[] {
  if (!letterhead?.iban || total_cents <= 0 || due_date === null) return []
  const { iban, bic } = letterhead
  return [
    element('PaymentDetails', [
      element('Installment', [
        text('InstallmentDueDate', due_date),
        text('InstallmentAmount', amount(total_cents)),
        text('PaymentMeans', transfer),
        element('AccountToBeCredited', [
          text('IBAN', iban),
          // the schema wants eleven characters; the main office may leave out its three
          bic !== null && text('BIC', bic.padEnd(11, 'X')),
        ]),
        text('PaymentReconciliationReference', number),
      ]),
    ]),
  ]
}

/** A party of an invoice that Facturae can express. */
type CompleteParty = Party & { taxId: string; address: string; city: string; country: string }

/** The same party. Throws an Error if `partyProblems` has not been asked before. */
function completeParty(party: Party): CompleteParty {
  const { taxId, address, city, country } = party
  if (taxId === null || address === null || city === null || country === null)
    throw new Error(`The party ${party.name} lacks what Facturae needs`)
  return { ...party, taxId, address, city, country }
}

type Identified = Pick<CompleteParty, 'taxId' | 'country'>

/** Whether a tax id of Spain belongs to a natural person; people of other countries cannot be recognized. */
function isNaturalPerson({ taxId, country }: Identified): boolean {
  return country === 'ES' && /^[0-9KLMXYZ]/.test(taxIdOf({ taxId, country }))
}

/** Without the prefix in Spain, with it in the rest of the EU. */
function taxIdOf({ taxId, country }: Identified): string {
  const plain = plainTaxId(taxId)
  if (country === 'ES') return plain.replace(/^ES/, '')
  return eu.has(country) ? vatIdOf(plain, country) : plain
}

/** First name and surnames: `García Pérez, Ana`, or the last two of at least three words are surnames. */
function personName(name: string): { name: string; surnames: string[] } {
  const [family = '', given = '', ...rest] = name.split(',').map(part => part.trim())
  if (given !== '' && rest.length === 0) {
    const [first = '', ...others] = family.split(/\s+/)
    return { name: given, surnames: [first, ...(others.length > 0 ? [others.join(' ')] : [])] }
  }
  const words = name.trim().split(/\s+/)
  const surnames = words.slice(Math.max(1, words.length - 2))
  return { name: words.slice(0, words.length - surnames.length).join(' '), surnames }
}

function partyProblems(role: 'issuer' | 'recipient', party: Party): ErrorDetail[] {
  const at = (field: keyof Party) => `${role}.${field}`
  const { name, taxId, address, city, postalCode, country, email } = party
  const absent = (['taxId', 'address', 'city', 'country'] as const).filter(field => party[field] === null)
  const problems = absent.map(field => missing(at(field)))
  if (taxId !== null && country !== null) {
    const id = taxIdOf({ taxId, country })
    if (id.length < leastTaxId) problems.push(invalid(at('taxId'), 'is not a tax id'))
    problems.push(...tooLong(at('taxId'), id, most.taxId))
    if (isNaturalPerson({ taxId, country })) problems.push(...personNameProblems(at('name'), name))
    else problems.push(...tooLong(at('name'), name, most.corporateName))
  }
  if (country === 'ES') {
    if (postalCode === null) problems.push(missing(at('postalCode')))
    else if (provinceOf(postalCode) === undefined)
      problems.push(invalid(at('postalCode'), 'is not a postal code of Spain'))
  } else if (country !== null && (unlisted.has(country) || !whereAlpha2(country)))
    problems.push({ path: at('country'), code: 'not_supported', message: 'is not a country of Facturae' })
  problems.push(...tooLong(at('address'), address, most.address))
  problems.push(...tooLong(at('email'), email, most.email))
  problems.push(...tooLong(at('city'), country === 'ES' ? city : townAbroad(party), most.town))
  return problems
}

function personNameProblems(path: string, name: string): ErrorDetail[] {
  const { name: given, surnames } = personName(name)
  if (surnames.length === 0) return [invalid(path, 'needs a first name and a surname')]
  return [given, ...surnames].flatMap(part => tooLong(path, part, most.personName)).slice(0, 1)
}

function invalid(path: string, message: string): ErrorDetail {
  return { path, code: 'format', message }
}

const townAbroad = ({ postalCode, city }: Party) => [postalCode, city].filter(Boolean).join(' ')

/** The content of a party. `partyProblems` must be empty. */
function partyOf(incomplete: Party): XmlElement[] {
  const party = completeParty(incomplete)
  const { name, country } = party
  const isPerson = isNaturalPerson(party)
  const person = personName(name)
  const [first = '', second] = person.surnames
  return [
    element('TaxIdentification', [
      text('PersonTypeCode', isPerson ? 'F' : 'J'),
      text('ResidenceTypeCode', country === 'ES' ? 'R' : eu.has(country) ? 'U' : 'E'),
      text('TaxIdentificationNumber', taxIdOf(party)),
    ]),
    isPerson
      ? element('Individual', [
          text('Name', person.name),
          text('FirstSurname', first),
          second !== undefined && text('SecondSurname', second),
          ...whereabouts(party),
        ])
      : element('LegalEntity', [text('CorporateName', name), ...whereabouts(party)]),
  ]
}

function whereabouts(party: CompleteParty): XmlElement[] {
  const { address, city, postalCode, country, email } = party
  const code = text('CountryCode', required(whereAlpha2(country), 'a country of ISO 3166-1').alpha3)
  return [
    country === 'ES'
      ? element('AddressInSpain', [
          text('Address', address),
          text('PostCode', required(postalCode, 'a postal code of Spain')),
          text('Town', city),
          text('Province', required(provinceOf(postalCode ?? ''), 'a province of Spain')),
          code,
        ])
      : element('OverseasAddress', [
          text('Address', address),
          text('PostCodeAndTown', townAbroad(party)),
          // required by the schema, and no part of an address of Patio
          text('Province', '-'),
          code,
        ]),
    ...(email === null ? [] : [element('ContactDetails', [text('ElectronicMail', email)])]),
  ]
}

const sum = (taxes: readonly InvoiceTax[]) => taxes.reduce((all, { amountCents }) => all + amountCents, 0)
