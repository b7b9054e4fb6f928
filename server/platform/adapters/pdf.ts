import { inThread } from '../threads.ts'
import type { PdfDocument } from './pdf/document.ts'
import type { inspectPicture as inspectInThread, PictureType } from './pdf/picture.ts'
import type { writePdf } from './pdf/write.ts'

export type { PdfBlock, PdfCell, PdfColumn, PdfDocument, PdfFact } from './pdf/document.ts'

/**
 * Creates an A4 document whose bytes depend on the input only. `\ufffd` replaces characters that our fonts
 * lack; invisible control characters are removed. A long document takes seconds, so a thread writes it.
 */
export async function makePdf(document: PdfDocument): Promise<Buffer> {
  const bytes = await inThread<typeof writePdf>(
    new URL('./pdf/write.ts', import.meta.url),
    'writePdf',
    document,
  )
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The type of a picture that documents can show; undefined for any other bytes. A thread decodes it. */
export function inspectPicture(picture: {
  bytes: Uint8Array
  maxPixels: number
}): Promise<PictureType | undefined> {
  return inThread<typeof inspectInThread>(
    new URL('./pdf/picture.ts', import.meta.url),
    'inspectPicture',
    picture,
  )
}
