import type { TaxRecordOptions } from '#contract/billing/tax-records.ts'
import type { ErrorDetail } from '#platform/fail.ts'
import { required } from '#platform/required.ts'
import { programVersion } from '#platform/version.ts'
import type { InvoiceRow, IssuedInvoice, Party } from '../invoices/invoice.row.ts'
import { type Breakdown, breakdownOf } from './breakdown.ts'
import { nifOf } from './nif.ts'

/** The SistemaInformatico block: the software that generates the records, and its producer. */
export type RecordSystem = {
  producerName: string
  producerNif: string
  version: string
  installation: string
}
/** The stored options of an organization. The version is that of the program that generates a record. */
export type StoredTaxRecordOptions = Omit<TaxRecordOptions, 'mode'> & {
  system: Omit<RecordSystem, 'version'>
}

/** IDDestinatario: with a NIF, or with another identifier (IDOtro). */
export type RecordRecipient = { name: string } & (
  | { nif: string }
  | { idType: '02' | '04'; country: string; id: string }
)
type InvoiceReference = { issuerNif: string; number: string; issueDate: string }
/** F1: invoice, F2: without an identified recipient; R1 and R5: the same for rectifying invoices. */
export type InvoiceType = 'F1' | 'F2' | 'R1' | 'R5'

/** The content of RegistroAlta that is not part of the chain. */
export type Registration = Breakdown & {
  system: RecordSystem
  issuerName: string
  type: InvoiceType
  rectifies: InvoiceReference | null
  description: string
  /** Null: the invoice does not identify its recipient. */
  recipient: RecordRecipient | null
}
/** The same of RegistroAnulacion. */
export type Cancellation = {
  system: RecordSystem
  issuerName: string
  /** The tax office rejected the registration. */
  isWithoutRegistration: boolean
}

const mostName = 120
const mostDescription = 500
const mostId = 20
/** The member states with the prefix of their VAT numbers, where it is not the code of the country. */
const vatPrefixes = new Map([
  ...'AT BE BG CY CZ DE DK EE FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'
    .split(' ')
    .map((country): [string, string] => [country, country]),
  ['GR', 'EL'],
])

type Recorded = Pick<
  InvoiceRow,
  'currency' | 'is_rectifying' | 'lines' | 'taxes' | 'number' | 'issue_date' | 'rectifying_reason'
>

/**
 * The content of the registration of an invoice. Returns the faults instead if the invoice cannot be recorded (TAX-5):
 * its currency, its taxes or a tax id.
 */
export function registrationOf(
  invoice: Recorded,
  { issuer, recipient }: { issuer: Party; recipient: Party },
  rectified: Pick<IssuedInvoice, 'number' | 'issue_date' | 'issuer'> | undefined,
  options: StoredTaxRecordOptions,
): (Registration & { issuerNif: string }) | { faults: ErrorDetail[] } {
  const faults: ErrorDetail[] = []
  const refuse = (path: string, message: string) => faults.push({ path, code: 'tax_record', message })
  const issuerNif = issuer.country === 'ES' ? nifOf(issuer.taxId ?? '') : undefined
  if (!issuerNif) refuse('issuer.taxId', 'is not a valid NIF of an issuer in Spain')
  if (invoice.currency !== 'eur') refuse('currency', 'must be eur')
  const identified = recipientOf(recipient)
  if (identified === undefined) refuse('recipient.taxId', 'is not a valid NIF')
  const breakdown = breakdownOf(invoice, options, recipient.country !== 'ES')
  if ('faults' in breakdown) faults.push(...breakdown.faults)
  const hasReverseCharge = 'lines' in breakdown && breakdown.lines.some(line => line.operation === 'S2')
  if (identified === null && hasReverseCharge) refuse('recipient.taxId', 'is required for a reverse charge')
  if (!issuerNif || identified === undefined || 'faults' in breakdown || faults.length > 0) return { faults }
  return {
    ...breakdown,
    system: currentSystem(options),
    issuerNif,
    issuerName: cut(issuer.name, mostName),
    type: typeOf(invoice.is_rectifying, identified !== null),
    rectifies: rectified
      ? {
          issuerNif: nifOf(rectified.issuer.taxId ?? '') ?? issuerNif,
          number: rectified.number,
          issueDate: rectified.issue_date,
        }
      : null,
    description: descriptionOf(invoice),
    recipient: identified,
  }
}

/** The software of a record that is generated now. */
export function currentSystem({ system }: StoredTaxRecordOptions): RecordSystem {
  return { ...system, version: programVersion }
}

function typeOf(isRectifying: boolean, isIdentified: boolean): InvoiceType {
  if (isRectifying) return isIdentified ? 'R1' : 'R5'
  return isIdentified ? 'F1' : 'F2'
}

/** Null: a client in another country without a tax id. Undefined: a client in Spain with a wrong one. */
function recipientOf({ name, taxId, country }: Party): RecordRecipient | null | undefined {
  const short = cut(name, mostName)
  if (country === 'ES') {
    const nif = nifOf(taxId ?? '')
    return nif === undefined ? undefined : { name: short, nif }
  }
  if (taxId === null) return null
  const code = required(country, 'the country of a recipient')
  const id = taxId.toUpperCase().replace(/[\s.\-/]/g, '')
  const prefix = vatPrefixes.get(code)
  const isVatNumber = prefix !== undefined && id.startsWith(prefix)
  return { name: short, idType: isVatNumber ? '02' : '04', country: code, id: cut(id, mostId) }
}

/** The lines in words, as far as they fit. */
function descriptionOf({ lines, rectifying_reason: reason }: Recorded): string {
  const texts = [...(reason === null ? [] : [reason]), ...new Set(lines.map(line => line.description))]
  return cut(texts.join('; ').replace(/\s+/g, ' ').trim(), mostDescription)
}

/** The first characters, without half a character. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}
