import { inThread } from '../threads.ts'
import type { PdfDocument } from './pdf/document.ts'
import type { writePdf } from './pdf/write.ts'

export type { PdfBlock, PdfCell, PdfColumn, PdfDocument } from './pdf/document.ts'

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
