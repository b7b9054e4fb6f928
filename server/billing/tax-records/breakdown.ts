import type { TaxRecordOptions, UntaxedReason } from '#contract/billing/tax-records.ts'
import { type Decimal, decimalOf, roundedProduct } from '#platform/decimal.ts'
import type { ErrorDetail } from '#platform/fail.ts'
import { firstOf, required } from '#platform/required.ts'
import type { InvoiceLine, InvoiceRow, InvoiceTax } from '../invoices/invoice.row.ts'

/** One DetalleDesglose. Amounts in cents. */
export type BreakdownLine = {
  /** Impuesto: 01 IVA, 02 IPSI, 03 IGIC. */
  tax: '01' | '02' | '03'
  /** ClaveRegimen; IPSI has none. */
  regime: string | null
  /** CalificacionOperacion (S1, S2, N1, N2) or OperacionExenta (E1 to E6). */
  operation: 'S1' | UntaxedReason
  baseCents: number
  /** Per cent; null with an operation that has neither rate nor tax. */
  rate: string | null
  taxCents: number | null
  /** The equivalence surcharge. */
  surchargeRate: string | null
  surchargeCents: number | null
}
export type Breakdown = {
  lines: BreakdownLine[]
  /** CuotaTotal: the taxes and surcharges. */
  taxCents: number
  /** ImporteTotal: the bases, taxes and surcharges. A retention is not part of it. */
  totalCents: number
}

type Kind = '01' | '02' | '03' | 'surcharge' | 'retention'
const names: Record<string, Kind> = {
  IVA: '01',
  IPSI: '02',
  IGIC: '03',
  RE: 'surcharge',
  RECARGO: 'surcharge',
  'RECARGO DE EQUIVALENCIA': 'surcharge',
  IRPF: 'retention',
  RETENCION: 'retention',
  'RETENCION IRPF': 'retention',
}
/** The details that the format allows. */
const mostLines = 12
/** The rates that the tax office accepts for IVA. */
const vatRates = ['0', '2', '4', '5', '7.5', '10', '21']

/** The meaning of a tax by its name; undefined if it has none here. */
function kindOf({ name, rate }: { name: string; rate: string }): Kind | undefined {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}|\./gu, '')
    .toUpperCase()
    .trim()
  const kind = names[plain]
  const isNegative = rate.startsWith('-')
  return isNegative === (kind === 'retention') ? kind : undefined
}

/** The amount of an invoice for the tax office: without retentions. */
export function totalWithoutRetention({
  subtotal_cents,
  taxes,
}: Pick<InvoiceRow, 'subtotal_cents' | 'taxes'>) {
  return taxes
    .filter(tax => kindOf(tax) !== 'retention')
    .reduce((sum, { amountCents }) => sum + amountCents, subtotal_cents)
}

type RateOfKind = { kind: Kind; rate: string }
type Group = { baseCents: number; vat: RateOfKind | undefined; surcharge: RateOfKind | undefined }

/**
 * The breakdown by rate of an invoice (TAX-6, TAX-7). Returns the faults instead if its taxes have no counterpart in the
 * format of the tax office.
 */
export function breakdownOf(
  { lines, taxes }: Pick<InvoiceRow, 'lines' | 'taxes'>,
  { regime, untaxedDomestic, untaxedForeign }: Omit<TaxRecordOptions, 'mode'>,
  isForeign: boolean,
): Breakdown | { faults: ErrorDetail[] } {
  const faults: ErrorDetail[] = []
  const untaxed = isForeign ? untaxedForeign : untaxedDomestic
  const groups = new Map<string, Group>()
  lines.forEach((line, at) => {
    const group = groupOf(line, untaxed, message => faults.push(fault(`lines.${at}.taxes`, message)))
    if (!group) return
    const key = JSON.stringify([group.vat, group.surcharge])
    const before = groups.get(key)
    groups.set(key, { ...group, baseCents: (before?.baseCents ?? 0) + line.subtotalCents })
  })
  const kinds = new Set([...groups.values()].flatMap(({ vat }) => (vat ? [vat.kind] : [])))
  if (kinds.size > 1) faults.push(fault('lines', 'have taxes of different territories'))
  if (groups.size > mostLines)
    faults.push(fault('lines', `have more than ${mostLines} combinations of taxes`))
  if (faults.length > 0) return { faults }
  const [tax = '01'] = kinds as Set<'01' | '02' | '03'>
  const amounts = shareTaxes([...groups.values()], taxes)
  const details = amounts.map(amount => detailOf(amount, tax, regime, untaxed))
  const taxCents = details.reduce((sum, line) => sum + (line.taxCents ?? 0) + (line.surchargeCents ?? 0), 0)
  return {
    lines: details,
    taxCents,
    totalCents: details.reduce((sum, { baseCents }) => sum + baseCents, taxCents),
  }
}

function groupOf(
  { taxes }: InvoiceLine,
  untaxed: UntaxedReason | null,
  refuse: (message: string) => void,
): Group | undefined {
  const group: Group = { baseCents: 0, vat: undefined, surcharge: undefined }
  for (const tax of taxes) {
    const kind = kindOf(tax)
    if (kind === 'retention') continue
    const slot = kind === 'surcharge' ? 'surcharge' : 'vat'
    if (!kind) return void refuse(`contain ${tax.name} ${tax.rate} %, which tax records do not know`)
    if (group[slot]) return void refuse('contain two taxes of the same kind')
    if (kind === '01' && !vatRates.includes(tax.rate)) return void refuse(`contain IVA of ${tax.rate} %`)
    group[slot] = { kind, rate: tax.rate }
  }
  if (group.surcharge && !group.vat) return void refuse('contain a surcharge without IVA')
  if (!group.vat && untaxed === null)
    return void refuse('contain no IVA, and the settings of tax records do not say why')
  return group
}

type SharedGroup = Group & { taxCents: number; surchargeCents: number }

/**
 * Divides the stored taxes, which are computed from the sum of all lines, among the groups that carry them. The last
 * group gets the difference of rounding, so that the sums are those of the invoice.
 */
function shareTaxes(groups: readonly Group[], taxes: readonly InvoiceTax[]): SharedGroup[] {
  const shared = groups.map(group => ({ ...group, taxCents: 0, surchargeCents: 0 }))
  const total = ({ kind, rate }: RateOfKind) =>
    taxes
      .filter(tax => tax.rate === rate && kindOf(tax) === kind)
      .reduce((sum, { amountCents }) => sum + amountCents, 0)
  for (const [slot, amount] of [
    ['vat', 'taxCents'],
    ['surcharge', 'surchargeCents'],
  ] as const) {
    const carriers = shared.flatMap(group => {
      const tax = group[slot]
      return tax ? [{ group, tax }] : []
    })
    for (const [rate, ofRate] of Map.groupBy(carriers, ({ tax }) => tax.rate)) {
      let rest = total(firstOf(ofRate).tax)
      ofRate.forEach(({ group }, at) => {
        const isLast = at === ofRate.length - 1
        group[amount] = isLast ? rest : Number(roundedProduct(group.baseCents, perCent(rate)))
        rest -= group[amount]
      })
    }
  }
  return shared
}

function detailOf(
  { vat, surcharge, baseCents, taxCents, surchargeCents }: SharedGroup,
  tax: BreakdownLine['tax'],
  regime: string,
  untaxed: UntaxedReason | null,
): BreakdownLine {
  const operation = vat ? 'S1' : required(untaxed, 'the reason for no tax')
  // 02 is the regime of exports, the only one of these exemptions
  const regimeOfLine = ['E2', 'E3'].includes(operation) ? '02' : regime
  const hasRate = operation === 'S1' || operation === 'S2'
  return {
    tax,
    regime: tax === '02' ? null : regimeOfLine,
    operation,
    baseCents,
    rate: hasRate ? (vat?.rate ?? '0') : null,
    taxCents: hasRate ? taxCents : null,
    surchargeRate: surcharge?.rate ?? null,
    surchargeCents: surcharge ? surchargeCents : null,
  }
}

function perCent(rate: string): Decimal {
  const { units, places } = decimalOf(rate)
  return { units, places: places + 2 }
}

const fault = (path: string, message: string): ErrorDetail => ({ path, code: 'tax_record', message })
