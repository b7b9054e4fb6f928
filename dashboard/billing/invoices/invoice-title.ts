import type { Invoice } from './invoice.ts'

/** The number of an invoice; a draft has none. */
export function titleOf(
  { number, isRectifying }: Pick<Invoice, 'number' | 'isRectifying'>,
  text: { draft: string; rectifyingDraft: string },
): string {
  return number ?? (isRectifying ? text.rectifyingDraft : text.draft)
}
