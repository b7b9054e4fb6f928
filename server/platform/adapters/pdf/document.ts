/** A cell of a table: its text, and a note below it in small type. */
export type PdfCell = string | { text: string; note: string }
export type PdfColumn = {
  title: string
  /** Figures are right-aligned, and their column is as wide as the widest of them. */
  isFigure?: boolean
}
/** A name with its value. */
export type PdfFact = readonly [name: string, value: string]
/** A PNG or JPEG that `readPicture` accepts. */
export type PdfPicture = Uint8Array
/** The blocks of the document, from top to bottom. */
export type PdfBlock =
  /** The sender at the left, as a logo or a name; the kind of the document at the right. */
  | {
      kind: 'head'
      sender: string
      logo?: PdfPicture
      title: string
      number?: string
      facts: readonly PdfFact[]
    }
  | { kind: 'subject' | 'heading' | 'text' | 'note'; text: string }
  /** A text that nobody may overlook. */
  | { kind: 'banner'; text: string }
  /** Texts side by side; the first line of each is its heading, the second its name. A picture is at the right. */
  | {
      kind: 'beside'
      columns: readonly (readonly string[])[]
      picture?: { image: PdfPicture; widthMm: number; caption: string; below?: string }
    }
  /** The head is repeated on every page of the table. */
  | { kind: 'table'; columns: readonly PdfColumn[]; rows: readonly (readonly PdfCell[])[] }
  /** Named figures at the right; the last one is emphasized. */
  | { kind: 'totals'; rows: readonly PdfFact[] }
  /** Names with their values, kept together with their heading if there are few of them. */
  | { kind: 'facts'; heading: string; rows: readonly PdfFact[] }
export type PdfDocument = {
  title: string
  author: string
  /** BCP 47, for screen readers and for the page numbers. */
  language: 'es' | 'en'
  /** The creation time in the file, ISO 8601. */
  at: string
  /** The colour of titles and rules, `#rrggbb`. */
  accentColor?: string
  /** Lines of the footer of each page, above the name and the number of the page. */
  footer?: string
  /** The name of the document beside the number of each page. */
  foot: string
  blocks: readonly PdfBlock[]
}
