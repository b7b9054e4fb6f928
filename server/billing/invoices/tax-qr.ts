import type { PdfBlock } from '#platform/adapters/pdf.ts'
import { exponentOf } from '#platform/currency.ts'
import type { InvoiceRow, Party } from './invoice.row.ts'

/** Of the symbol itself: 30 to 40 mm. */
const symbolMm = 35
/** Light modules around it, as ISO/IEC 18004 wants them: more than the 2 mm that are asked for. */
const quietModules = 4

type Numbered = Pick<InvoiceRow, 'number' | 'issue_date' | 'total_cents' | 'currency'>

/** What the tax office is asked about an issued invoice. */
export function taxQrText(url: string, issuer: Pick<Party, 'taxId'>, invoice: Numbered): string {
  const [year, month, day] = invoice.issue_date!.split('-')
  const asked = new URLSearchParams({
    nif: issuer.taxId!,
    numserie: invoice.number!,
    fecha: `${day}-${month}-${year}`,
    importe: (invoice.total_cents / 10 ** exponentOf(invoice.currency)).toFixed(2),
  })
  return `${url}?${asked}`
}

/** The QR of an invoice with the words that stand above it: level M, first page, at the top. AEAT. */
export async function taxQr(text: string): Promise<PdfBlock[]> {
  // loaded with the first one: see makePdf
  const { default: qrcode } = await import('qrcode')
  const { size } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules
  const png = await qrcode.toBuffer(text, { errorCorrectionLevel: 'M', margin: quietModules, scale: 8 })
  const widthMm = (symbolMm * (size + 2 * quietModules)) / size
  return [
    { kind: 'note', text: 'QR tributario:' },
    { kind: 'picture', png, widthMm, text: '' },
  ]
}
