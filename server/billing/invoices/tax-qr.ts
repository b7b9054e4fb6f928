import type { PdfBlock } from '#platform/adapters/pdf.ts'
import { exponentOf } from '#platform/currency.ts'
import type { InvoiceRow, Party } from './invoice.row.ts'

/** The size of the symbol itself; 30 to 40 mm are required. */
const symbolMm = 35
/** The quiet zone of ISO/IEC 18004: more than the 2 mm that are required. */
const quietModules = 4

type Numbered = Pick<InvoiceRow, 'number' | 'issue_date' | 'total_cents' | 'currency'>

/** The address at which the tax office verifies an invoice. */
export function taxQrText(url: string, issuer: Pick<Party, 'taxId'>, invoice: Numbered): string {
  const [year, month, day] = invoice.issue_date!.split('-')
  const query = new URLSearchParams({
    nif: issuer.taxId!,
    numserie: invoice.number!,
    fecha: `${day}-${month}-${year}`,
    importe: (invoice.total_cents / 10 ** exponentOf(invoice.currency)).toFixed(2),
  })
  return `${url}?${query}`
}

/** The QR code with its heading: level M, top of the first page, as the AEAT requires. */
export async function taxQr(text: string): Promise<PdfBlock[]> {
  // loaded on first use: see makePdf
  const { default: qrcode } = await import('qrcode')
  const { size } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules
  const png = await qrcode.toBuffer(text, { errorCorrectionLevel: 'M', margin: quietModules, scale: 8 })
  const widthMm = (symbolMm * (size + 2 * quietModules)) / size
  return [
    { kind: 'note', text: 'QR tributario:' },
    { kind: 'picture', png, widthMm, text: '' },
  ]
}
