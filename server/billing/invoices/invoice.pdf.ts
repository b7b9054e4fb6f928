import { makePdf, type PdfBlock, type PdfCell, type PdfColumn } from '#platform/adapters/pdf.ts'
import { writing } from '#platform/language.ts'
import type { InvoiceLine, InvoiceRow, Party } from './invoice.row.ts'
import { isRectifiedWhole } from './invoice.rules.ts'
import { taxQr, taxQrText } from './tax-qr.ts'

const { country: countryName, day, moneyIn, quantity, rate } = writing.es
type Money = (cents: number) => string

/** The content of the PDF besides the invoice. */
export type InvoicePdfContext = {
  /** A draft shows the current parties. */
  issuer: Party | null
  recipient: Party
  rectified: Pick<InvoiceRow, 'number' | 'issue_date'> | null
  /** The numbers of the issued invoices that rectify it. */
  rectifying: readonly string[]
}

/**
 * The PDF of an invoice, in Spanish, as RD 1619/2012 requires. The bytes depend on nothing else but its content, in
 * particular not on payments.
 */
export async function invoicePdf(invoice: InvoiceRow, beside: InvoicePdfContext): Promise<Buffer> {
  const { issuer, recipient } = beside
  const title = titleOf(invoice)
  const money = moneyIn(invoice.currency)
  return makePdf({
    title,
    author: issuer?.name ?? '',
    language: 'es',
    at: invoice.issued_at ?? invoice.created_at,
    foot: [invoice.number ?? 'Borrador', issuer?.name ?? ''].filter(Boolean).join(' · '),
    blocks: [
      ...(await qrOf(invoice)),
      { kind: 'title', text: title },
      ...datesOf(invoice),
      ...rectifiedOf(invoice, beside),
      ...rectifyingOf(beside),
      {
        kind: 'beside',
        columns: [...(issuer ? [partyLines('Emisor', issuer)] : []), partyLines('Cliente', recipient)],
      },
      ...tableOf(invoice.lines, money),
      { kind: 'totals', rows: totalsOf(invoice, money) },
      ...(invoice.notes === null ? [] : [{ kind: 'text', text: invoice.notes } as const]),
    ],
  })
}

function titleOf(invoice: InvoiceRow): string {
  const { lifecycle, is_rectifying, number } = invoice
  const kind = is_rectifying ? 'Factura rectificativa' : 'Factura'
  if (lifecycle === 'DRAFT') return `${kind} (borrador, sin validez)`
  if (lifecycle === 'VOIDED') return `${kind} ${number} (anulada)`
  return `${kind} ${number}${isRectifiedWhole(invoice) ? ' (rectificada)' : ''}`
}

function datesOf({ issue_date, due_date }: InvoiceRow): PdfBlock[] {
  const dates = [
    issue_date && `Fecha de expedición: ${day(issue_date)}`,
    due_date && `Vencimiento: ${day(due_date)}`,
  ].filter(Boolean)
  return dates.length === 0 ? [] : [{ kind: 'note', text: dates.join(' · ') }]
}

/** Article 15: the rectified invoice, and the reason. */
function rectifiedOf({ rectifying_reason }: InvoiceRow, { rectified }: InvoicePdfContext): PdfBlock[] {
  if (rectified === null) return []
  const which = `Rectifica la factura ${rectified.number} de ${day(rectified.issue_date!)}.`
  return [{ kind: 'text', text: `${which} Motivo: ${rectifying_reason}` }]
}

function rectifyingOf({ rectifying }: InvoicePdfContext): PdfBlock[] {
  if (rectifying.length === 0) return []
  return [{ kind: 'text', text: `Rectificada por: ${rectifying.join(', ')}.` }]
}

async function qrOf(invoice: InvoiceRow): Promise<PdfBlock[]> {
  const { tax_qr_url, issuer } = invoice
  return tax_qr_url && issuer ? taxQr(taxQrText(tax_qr_url, issuer, invoice)) : []
}

function partyLines(
  role: string,
  { name, taxId, address, postalCode, city, country, email }: Party,
): string[] {
  const place = [postalCode, city].filter(Boolean).join(' ')
  const where = [address, place, country && countryName(country)]
  return [role, name, taxId && `NIF: ${taxId}`, ...where, email].filter(Boolean) as string[]
}

function tableOf(lines: readonly InvoiceLine[], money: Money): PdfBlock[] {
  if (lines.length === 0) return []
  const hasDiscounts = lines.some(({ discountPercent }) => discountPercent !== null)
  const figure = (title: string, share = 2.6): PdfColumn => ({ title, share, isFigure: true })
  const columns = [
    { title: 'Concepto', share: 7 },
    figure('Cantidad', 2),
    figure('Precio'),
    ...(hasDiscounts ? [figure('Dto.', 1.8)] : []),
    figure('Impuestos'),
    figure('Importe'),
  ]
  const row = (line: InvoiceLine): PdfCell[] => [
    line.description,
    quantity(line.quantity),
    money(line.unitPriceCents),
    ...(hasDiscounts ? [line.discountPercent === null ? '' : rate(line.discountPercent)] : []),
    line.taxes.map(tax => `${tax.name} ${rate(tax.rate)}`).join('\n'),
    money(line.subtotalCents),
  ]
  return [{ kind: 'table', columns, rows: lines.map(row) }]
}

function totalsOf(invoice: InvoiceRow, money: Money): [name: string, figure: string][] {
  return [
    ['Base imponible', money(invoice.subtotal_cents)],
    ...invoice.taxes.map((tax): [string, string] => [
      `${tax.name} ${rate(tax.rate)} de ${money(tax.baseCents)}`,
      money(tax.amountCents),
    ]),
    ['Total', money(invoice.total_cents)],
  ]
}
