/** A cell of a table: its text, and what is said below it in small letters. */
export type PdfCell = string | { text: string; note: string }
export type PdfColumn = {
  title: string
  /** Its part of the width, beside the parts of the others. */
  share: number
  /** Figures stand at the right. */
  isFigure?: boolean
}
/** What stands on the paper, from the top down. */
export type PdfBlock =
  | { kind: 'title' | 'heading' | 'text' | 'note'; text: string }
  /** Texts beside each other; the first line of each is its name. */
  | { kind: 'beside'; columns: readonly (readonly string[])[] }
  /** The head is repeated on every page that the rows reach. */
  | { kind: 'table'; columns: readonly PdfColumn[]; rows: readonly (readonly PdfCell[])[] }
  /** Figures with their names, at the right; the last one counts. */
  | { kind: 'totals'; rows: readonly (readonly [name: string, figure: string])[] }
  /** A PNG with words below it. */
  | { kind: 'picture'; png: Uint8Array; widthMm: number; text: string }
export type PdfDocument = {
  title: string
  author: string
  /** BCP 47, for who reads it aloud. */
  language: string
  /** When it was made, as the file says: ISO 8601. */
  at: string
  /** Stands at the foot of each page, beside its number. */
  foot: string
  blocks: readonly PdfBlock[]
}
