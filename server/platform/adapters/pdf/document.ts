/** A cell of a table: its text, and a note below it in small type. */
export type PdfCell = string | { text: string; note: string }
export type PdfColumn = {
  title: string
  /** Its share of the width, relative to the other columns. */
  share: number
  /** Figures are right-aligned. */
  isFigure?: boolean
}
/** The blocks of the document, from top to bottom. */
export type PdfBlock =
  | { kind: 'title' | 'heading' | 'text' | 'note'; text: string }
  /** Texts side by side; the first line of each is its heading. */
  | { kind: 'beside'; columns: readonly (readonly string[])[] }
  /** The head is repeated on every page of the table. */
  | { kind: 'table'; columns: readonly PdfColumn[]; rows: readonly (readonly PdfCell[])[] }
  /** Named figures at the right; the last one is emphasized. */
  | { kind: 'totals'; rows: readonly (readonly [name: string, figure: string])[] }
  /** A PNG with a caption. */
  | { kind: 'picture'; png: Uint8Array; widthMm: number; text: string }
export type PdfDocument = {
  title: string
  author: string
  /** BCP 47, for screen readers. */
  language: string
  /** The creation time in the file, ISO 8601. */
  at: string
  /** The footer of each page, beside the page number. */
  foot: string
  blocks: readonly PdfBlock[]
}
