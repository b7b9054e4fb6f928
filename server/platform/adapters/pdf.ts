import { inThread } from '../threads.ts'
import type { PdfDocument } from './pdf/document.ts'
import type { writePdf } from './pdf/write.ts'

export type { PdfBlock, PdfCell, PdfColumn, PdfDocument } from './pdf/document.ts'

/**
 * A document on A4, whose bytes depend on nothing but what is given. `\ufffd` stands for characters that our fonts do not
 * have; those that are not seen but steer others are left out. A long one takes seconds, so it is written in a thread.
 */
export async function makePdf(document: PdfDocument): Promise<Buffer> {
  const bytes = await inThread<typeof writePdf>(
    new URL('./pdf/write.ts', import.meta.url),
    'writePdf',
    document,
  )
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
