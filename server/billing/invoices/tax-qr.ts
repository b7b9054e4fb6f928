import { exponentOf } from '#platform/currency.ts'
import { required } from '#platform/required.ts'
import type { IssuingSettings } from '../settings/billing-settings.sql.ts'
import { totalWithoutRetention } from '../tax-records/breakdown.ts'
import type { IssuedInvoice, Party } from './invoice.row.ts'
import { type QrPicture, qrPicture } from './qr-picture.ts'

/** The size of the symbol itself; 30 to 40 mm are required. */
const symbolMm = 35

type Numbered = Pick<
  IssuedInvoice,
  'number' | 'issue_date' | 'total_cents' | 'subtotal_cents' | 'taxes' | 'currency' | 'tax_record_mode'
>

/** The address of the QR code for an invoice that is issued now. Invoices whose records are sent have another page. */
export function taxQrUrlOf({
  taxQrUrl,
  taxRecordMode,
}: Pick<IssuingSettings, 'taxQrUrl' | 'taxRecordMode'>): string | null {
  if (taxQrUrl === null || taxRecordMode !== 'SEND') return taxQrUrl
  return taxQrUrl.replace(/\/ValidarQRNoVerifactu$/, '/ValidarQR')
}

/** The address at which the tax office verifies an invoice. */
export function taxQrText(url: string, issuer: Pick<Party, 'taxId'>, invoice: Numbered): string {
  const [year, month, day] = invoice.issue_date.split('-')
  // the amount of the record, where there is one
  const cents = invoice.tax_record_mode === null ? invoice.total_cents : totalWithoutRetention(invoice)
  const query = new URLSearchParams({
    nif: required(issuer.taxId, 'the tax id of an issuer in Spain'),
    numserie: invoice.number,
    fecha: `${day}-${month}-${year}`,
    importe: (cents / 10 ** exponentOf(invoice.currency)).toFixed(2),
  })
  return `${url}?${query}`
}

/**
 * The QR code with its caption: level M, at the top of the first page, as the AEAT requires.
 * The phrase below it is only for invoices whose records are sent.
 */
export async function taxQr(text: string, isVerifiable: boolean): Promise<QrPicture> {
  return {
    ...(await qrPicture(text, symbolMm)),
    caption: 'QR tributario:',
    ...(isVerifiable && { below: 'VERI*FACTU' }),
  }
}
