import type { PdfBlock } from '#platform/adapters/pdf.ts'

export type QrPicture = NonNullable<Extract<PdfBlock, { kind: 'beside' }>['picture']>

/** The quiet zone of ISO/IEC 18004, in modules. */
const quietModules = 4

/** A text as a QR code of level M. `symbolMm`: the width of the symbol without its quiet zone. */
export async function qrPicture(
  text: string,
  symbolMm: number,
): Promise<Pick<QrPicture, 'image' | 'widthMm'>> {
  // loaded on first use: see makePdf
  const { default: qrcode } = await import('qrcode')
  const { size } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules
  const image = await qrcode.toBuffer(text, { errorCorrectionLevel: 'M', margin: quietModules, scale: 8 })
  return { image, widthMm: (symbolMm * (size + 2 * quietModules)) / size }
}
