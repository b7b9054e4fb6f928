import type { Letterhead } from '#contract/crm/letterhead.ts'
import { makePdf, type PdfBlock, type PdfCell, type PdfColumn, type PdfFact } from '#platform/adapters/pdf.ts'
import { writing } from '#platform/language.ts'
import { ibanInGroups, taxFacts } from '#server/crm/index.ts'
import {
  type InvoiceLine,
  type InvoiceRow,
  type IssuedInvoice,
  issuedInvoice,
  type Party,
} from './invoice.row.ts'
import { isRectifiedWhole } from './invoice.rules.ts'
import { qrPicture } from './qr-picture.ts'
import { taxQr, taxQrText } from './tax-qr.ts'

const { country: countryName, day, moneyIn, quantity, rate } = writing.es
type Money = (cents: number) => string

/** The content of the PDF besides the invoice. */
export type InvoicePdfContext = {
  /** A draft shows the current parties. */
  issuer: Party | null
  recipient: Party
  letterhead: Letterhead | null
  logo?: Buffer
  rectified: Pick<IssuedInvoice, 'number' | 'issue_date'> | null
  /** The numbers of the issued invoices that rectify it. */
  rectifying: readonly string[]
  /** The page where it is paid by card. Only mails have it, because the secret of a link is not stored. */
  payUrl?: string
}

/** The width of the QR code of the payment page. */
const payQrMm = 25

/**
 * The PDF of an invoice, in Spanish, as RD 1619/2012 requires. The bytes depend on nothing else but its content and the
 * payment page, in particular not on payments.
 */
export async function invoicePdf(invoice: InvoiceRow, beside: InvoicePdfContext): Promise<Buffer> {
  const { issuer, recipient, letterhead, logo } = beside
  const { number, is_rectifying: isRectifying } = invoice
  const title = isRectifying ? 'Factura rectificativa' : 'Factura'
  const name = number === null ? `${title} (borrador)` : `${title} ${number}`
  const money = moneyIn(invoice.currency)
  const qr = await qrOf(invoice)
  return makePdf({
    title: name,
    author: issuer?.name ?? '',
    language: 'es',
    ...(letterhead?.accentColor && { accentColor: letterhead.accentColor }),
    ...(letterhead?.footer && { footer: letterhead.footer }),
    at: invoice.issued_at ?? invoice.created_at,
    foot: [name, issuer?.name ?? ''].filter(Boolean).join(' · '),
    blocks: [
      {
        kind: 'head',
        sender: issuer?.name ?? '',
        ...(logo && { logo }),
        title,
        ...(number !== null && { number }),
        facts: datesOf(invoice),
      },
      ...bannersOf(invoice, beside),
      {
        kind: 'beside',
        columns: [...(issuer ? [partyLines('Emisor', issuer)] : []), partyLines('Cliente', recipient)],
        ...(qr && { picture: qr }),
      },
      ...tableOf(invoice.lines, money),
      { kind: 'totals', rows: totalsOf(invoice, money) },
      ...paymentOf(invoice, beside),
      ...(beside.payUrl === undefined ? [] : [await payOnline(beside.payUrl)]),
      ...(invoice.notes === null
        ? []
        : ([
            { kind: 'heading', text: 'Notas' },
            { kind: 'text', text: invoice.notes },
          ] as const)),
    ],
  })
}

function datesOf({ issue_date, due_date }: InvoiceRow): PdfFact[] {
  return [
    ...(issue_date === null ? [] : [['Fecha de expedición', day(issue_date)] as const]),
    ...(due_date === null ? [] : [['Vencimiento', day(due_date)] as const]),
  ]
}

/** Whether it is valid, and the invoices that it belongs to. Article 15: the rectified invoice, and the reason. */
function bannersOf(invoice: InvoiceRow, { rectified, rectifying }: InvoicePdfContext): PdfBlock[] {
  const { lifecycle, rectifying_reason: reason } = invoice
  const texts = [
    lifecycle === 'DRAFT' && 'Borrador, sin validez como factura.',
    lifecycle === 'VOIDED' && 'Factura anulada.',
    rectified &&
      `Rectifica la factura ${rectified.number} de ${day(rectified.issue_date)}. Motivo: ${reason}`,
    rectifying.length > 0 &&
      `${isRectifiedWhole(invoice) ? 'Rectificada' : 'Rectificada en parte'} por: ${rectifying.join(', ')}.`,
  ]
  return texts.filter(text => typeof text === 'string').map(text => ({ kind: 'banner', text }))
}

async function qrOf(invoice: InvoiceRow) {
  const { tax_qr_url: url, tax_record_mode: mode } = invoice
  if (url === null) return undefined
  const issued = issuedInvoice(invoice)
  return taxQr(taxQrText(url, issued.issuer, issued), mode === 'SEND')
}

/** Where to transfer what is due; nothing if no bank account is known or nothing can be due. */
function paymentOf(
  { lifecycle, number, total_cents, due_date }: InvoiceRow,
  { issuer, letterhead }: InvoicePdfContext,
): PdfBlock[] {
  if (!letterhead?.iban || lifecycle === 'VOIDED' || total_cents <= 0) return []
  const { iban, bic, accountHolder } = letterhead
  const rows: [name: string, value: string | null | undefined][] = [
    ['Vencimiento', due_date && day(due_date)],
    ['Titular', accountHolder ?? issuer?.name],
    ['IBAN', ibanInGroups(iban)],
    ['BIC', bic],
    ['Referencia', number],
  ]
  return [
    {
      kind: 'facts',
      heading: 'Pago por transferencia',
      rows: rows.filter((row): row is [string, string] => Boolean(row[1])),
    },
  ]
}

/** The page where the invoice is paid by card, as a QR code and in words. */
async function payOnline(payUrl: string): Promise<PdfBlock> {
  return {
    kind: 'beside',
    columns: [['Pago con tarjeta', 'Escanea el código o abre esta dirección:', payUrl]],
    picture: { ...(await qrPicture(payUrl, payQrMm)), caption: 'Pagar con tarjeta' },
  }
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
  const figure = (title: string): PdfColumn => ({ title, isFigure: true })
  const columns = [
    { title: 'Concepto' },
    figure('Cantidad'),
    figure('Precio'),
    ...(hasDiscounts ? [figure('Dto.')] : []),
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

function totalsOf({ taxes, subtotal_cents, total_cents }: InvoiceRow, money: Money): PdfFact[] {
  return [['Base imponible', money(subtotal_cents)], ...taxFacts(taxes, money), ['Total', money(total_cents)]]
}
