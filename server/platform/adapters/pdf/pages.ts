import PDFDocument from 'pdfkit'
import { required } from '#platform/required.ts'
import { mixColors } from '../../accent-colors.ts'
import type { PdfDocument, PdfPicture } from './document.ts'
import type { Fonts, Weight } from './fonts.ts'
import { linesOf, printable } from './text-layout.ts'
import { runsOf } from './text-runs.ts'

/** All sizes are in points. */
const margin = 48
const bottom = 34
const a4 = { width: 595.28, height: 841.89 }
const pointsPerMm = 72 / 25.4
const dark = '#1b1f24'
const grey = '#59616d'
const lightRule = '#dfe3e8'
const textStyles = {
  title: { weight: 'bold', size: 20, color: 'accent' },
  sender: { weight: 'bold', size: 15, color: 'accent' },
  number: { weight: 'bold', size: 12, color: dark },
  subject: { weight: 'bold', size: 12, color: dark },
  heading: { weight: 'bold', size: 10.5, color: 'accent' },
  total: { weight: 'bold', size: 11.5, color: dark },
  strong: { weight: 'bold', size: 9.5, color: dark },
  text: { weight: 'plain', size: 9, color: dark },
  head: { weight: 'bold', size: 8, color: 'accent' },
  note: { weight: 'plain', size: 8, color: grey },
} as const satisfies Record<string, { weight: Weight; size: number; color: string }>
const lineHeightOf = (name: TextStyle) => textStyles[name].size * 1.4

export type TextStyle = keyof typeof textStyles
export type StyledText = { text: string; style: TextStyle }
/** Texts below each other. */
export type TextCell = readonly StyledText[]
/** Where a cell stands on the page. */
export type Column = { x: number; width: number; isFigure?: boolean }
type RowOptions = { above?: number; below?: number }

type Stack = {
  texts: TextCell
  picture?: { image: PdfPicture; box: [number, number] }
  /** Below the picture. */
  below?: TextCell
}

/** The part of a page that blocks fill. */
export const pageArea = { x: margin, width: a4.width - 2 * margin } as const

/** Pages that are filled from top to bottom, with a new page whenever the last one is full. */
export class PdfPages {
  readonly #document: PDFKit.PDFDocument
  readonly #bytes: Promise<Buffer>
  readonly #fonts: Fonts
  readonly #language: PdfDocument['language']
  readonly #foot: string
  readonly #accentColor: string
  readonly #footerLines: readonly StyledText[]
  readonly #footerTop: number
  /** The end of the part that blocks fill. */
  readonly #floor: number
  #y: number = margin
  #isPageEmpty = true
  #repeatedHead: (() => void) | undefined

  constructor(
    fonts: Fonts,
    {
      title,
      author,
      language,
      at,
      accentColor = '#1f3a5f',
      footer = '',
      foot,
    }: Omit<PdfDocument, 'blocks' | 'at'> & { at: Date },
  ) {
    this.#fonts = fonts
    this.#language = language
    this.#foot = foot
    this.#accentColor = accentColor
    this.#document = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      autoFirstPage: false,
      pdfVersion: '1.7',
      lang: language,
      displayTitle: true,
      info: {
        Title: title,
        Author: author,
        Producer: 'Patio',
        Creator: 'Patio',
        CreationDate: at,
        ModDate: at,
      },
      // no fonts other than ours, which are embedded
      font: '',
    })
    for (const [name, font] of fonts.fonts) this.#document.registerFont(name, font as unknown as string)
    this.#bytes = bytesOf(this.#document)
    this.#footerLines = footer === '' ? [] : this.#wrapText({ text: footer, style: 'note' }, pageArea.width)
    this.#footerTop = a4.height - bottom - (this.#footerLines.length + 1) * lineHeightOf('note')
    this.#floor = this.#footerTop - 14
    this.#document.addPage()
  }

  /**
   * Cells side by side, line by line. Moves to a new page if the cells, with `below` points under them, fit there
   * and not here.
   */
  row(
    cells: readonly TextCell[],
    columns: readonly Column[],
    { above = 0, below = 0 }: RowOptions = {},
  ): void {
    const texts = inColumns(cells, columns).map(([cell, column]) => ({
      column,
      lines: this.#linesOf(cell, column),
    }))
    const count = Math.max(0, ...texts.map(({ lines }) => lines.length))
    const heights = Array.from({ length: count }, (_, n) =>
      Math.max(...texts.map(({ lines }) => (lines[n] ? lineHeightOf(lines[n].style) : 0))),
    )
    const height = above + heights.reduce((sum, one) => sum + one, 0)
    this.#needRoom(height + below)
    this.#y += above
    for (const [n, lineHeight] of heights.entries()) {
      if (!this.#isPageEmpty && this.#y + lineHeight > this.#floor) this.#addPage()
      for (const { lines, column } of texts) if (lines[n]) this.#drawText(lines[n], column, this.#y)
      this.#y += lineHeight
      this.#isPageEmpty = false
    }
  }

  /** The width of the longest line. */
  widthOf(text: string, style: TextStyle): number {
    return Math.max(
      0,
      ...printable(text, this.#fonts, textStyles[style].weight)
        .split('\n')
        .map(line => this.#lineWidth(line, style)),
    )
  }

  /** Moves to a new page if the rows fit there and not here. */
  keepTogether(rows: readonly (readonly TextCell[])[], columns: readonly Column[], extra = 0): void {
    const heights = rows.map(cells =>
      Math.max(
        0,
        ...inColumns(cells, columns).map(([cell, column]) => heightOf(this.#linesOf(cell, column))),
      ),
    )
    this.#needRoom(heights.reduce((sum, one) => sum + one, 0) + extra)
  }

  /** Cells side by side, one after the other, each under its picture if it has one. */
  stacks(cells: readonly Stack[], columns: readonly Column[]): void {
    const stacks = inColumns(cells, columns).map(([{ texts, picture, below = [] }, column]) => {
      const lines = this.#linesOf(texts, column)
      const drawn = picture && this.#fittedPicture(picture)
      const lastLines = this.#linesOf(below, column)
      const height = heightOf(lines) + (drawn ? drawn.height : 0) + heightOf(lastLines)
      return { column, lines, drawn, lastLines, height }
    })
    const height = Math.max(...stacks.map(stack => stack.height))
    if (height > this.#floor - 2 * margin) {
      // no page has room for it
      this.row(
        cells.map(({ texts, below = [] }) => texts.concat(below)),
        columns,
      )
      return
    }
    this.#needRoom(height)
    for (const { column, lines, drawn, lastLines } of stacks) {
      let top = this.#drawLines(lines, column, this.#y)
      if (!drawn) continue
      const left = column.isFigure ? column.x + column.width - drawn.width : column.x
      this.#document.image(drawn.image, left, top, { width: drawn.width, height: drawn.height })
      top += drawn.height
      this.#drawLines(lastLines, column, top)
    }
    this.#y += height
    this.#isPageEmpty = false
  }

  /** A text on a tinted ground. */
  banner(text: string): void {
    const column = { x: margin + 12, width: pageArea.width - 24 }
    const lines = this.#wrapText({ text, style: 'strong' }, column.width)
    const height = heightOf(lines) + 14
    this.#needRoom(height)
    if (this.#y + height > this.#floor) {
      this.row([[{ text, style: 'strong' }]], [column])
      return
    }
    const tint = mixColors('#ffffff', this.#accentColor, 0.08)
    this.#document.fillColor(tint).rect(margin, this.#y, pageArea.width, height).fill()
    this.#document.fillColor(this.#accentColor).rect(margin, this.#y, 3, height).fill()
    for (const [n, line] of lines.entries())
      this.#drawText(line, column, this.#y + 7 + n * lineHeightOf(line.style))
    this.#y += height
    this.#isPageEmpty = false
  }

  space(points: number): void {
    if (!this.#isPageEmpty) this.#y += points
  }

  rule(kind: 'light' | 'accent', above: number, below: number, left: number = margin): void {
    this.#y += above
    if (kind === 'light') this.#drawRule(this.#y, lightRule, 0.6, left)
    else this.#drawRule(this.#y, this.#accentColor, 1.1, left)
    this.#y += below
  }

  /** Repeats a head above the following rows, on this page and on further pages. */
  startTable(head: () => void): void {
    // a head without a row below it is useless
    if (!this.#isPageEmpty && this.#y + 60 > this.#floor) this.#addPage()
    head()
    this.#repeatedHead = head
  }

  endTable(): void {
    this.#repeatedHead = undefined
  }

  /** Writes the footer and the number of each page, and closes them. */
  end(): Promise<Buffer> {
    const { count } = this.#document.bufferedPageRange()
    const whole = { x: margin, width: pageArea.width }
    const noteHeight = lineHeightOf('note')
    const [name] = this.#wrapText({ text: this.#foot, style: 'note' }, whole.width - 110)
    const [page, of] = pageWords[this.#language]
    for (let n = 0; n < count; n++) {
      this.#document.switchToPage(n)
      this.#drawRule(this.#footerTop - 6, lightRule, 0.6)
      for (const [at, line] of this.#footerLines.entries())
        this.#drawText(line, whole, this.#footerTop + at * noteHeight)
      const last = this.#footerTop + this.#footerLines.length * noteHeight
      if (name) this.#drawText(name, whole, last)
      this.#drawText(
        { text: `${page} ${n + 1} ${of} ${count}`, style: 'note' },
        { ...whole, isFigure: true },
        last,
      )
    }
    this.#document.end()
    return this.#bytes
  }

  #addPage(): void {
    this.#document.addPage()
    this.#y = margin
    this.#isPageEmpty = true
    const head = this.#repeatedHead
    if (!head) return
    // the repeated head fits on a page, and must not repeat itself
    this.#repeatedHead = undefined
    head()
    this.#repeatedHead = head
    this.#isPageEmpty = true
  }

  #needRoom(height: number): void {
    const isHigherThanRest = !this.#isPageEmpty && this.#y + height > this.#floor
    if (isHigherThanRest && height < this.#floor - 2 * margin) this.#addPage()
  }

  #lineWidth(text: string, style: TextStyle): number {
    const { weight, size } = textStyles[style]
    this.#document.fontSize(size)
    return runsOf(text, this.#fonts, weight).reduce(
      (width, run) => width + this.#document.font(run.font).widthOfString(run.text),
      0,
    )
  }

  #wrapText({ text, style }: StyledText, width: number): StyledText[] {
    if (text === '') return []
    const clean = printable(text, this.#fonts, textStyles[style].weight)
    return linesOf(clean, width, letters => this.#lineWidth(letters, style)).map(line => ({
      text: line,
      style,
    }))
  }

  #linesOf(cell: TextCell, { width }: Column): StyledText[] {
    return cell.flatMap(part => this.#wrapText(part, width))
  }

  /** Draws a printable line, whose top is at `top`. */
  #drawText({ text, style }: StyledText, { x, width, isFigure }: Column, top: number): void {
    const { weight, size, color } = textStyles[style]
    let left = isFigure ? x + width - this.#lineWidth(text, style) : x
    this.#document.fontSize(size).fillColor(color === 'accent' ? this.#accentColor : color)
    for (const run of runsOf(text, this.#fonts, weight)) {
      this.#document.font(run.font)
      this.#document.text(run.text, left, top + size * 1.06, { lineBreak: false, baseline: 'alphabetic' })
      left += this.#document.widthOfString(run.text)
    }
  }

  /** Draws lines below each other from `top` on, and returns their end. */
  #drawLines(lines: readonly StyledText[], column: Column, top: number): number {
    let end = top
    for (const line of lines) {
      this.#drawText(line, column, end)
      end += lineHeightOf(line.style)
    }
    return end
  }

  #drawRule(top: number, color: string, thickness: number, left: number = margin): void {
    this.#document
      .strokeColor(color)
      .lineWidth(thickness)
      .moveTo(left, top)
      .lineTo(a4.width - margin, top)
      .stroke()
  }

  #fittedPicture({ image: bytes, box }: { image: PdfPicture; box: [number, number] }) {
    // pdfkit decodes a picture when it is drawn, and knows its size before
    const image = (
      this.#document as unknown as { openImage(bytes: Buffer): { width: number; height: number } }
    ).openImage(Buffer.from(bytes))
    const scale = Math.min((box[0] * pointsPerMm) / image.width, (box[1] * pointsPerMm) / image.height)
    return { image: image as never, width: image.width * scale, height: image.height * scale }
  }
}

const heightOf = (lines: readonly StyledText[]) =>
  lines.reduce((height, { style }) => height + lineHeightOf(style), 0)

/** The bytes of a document once it has ended. */
function bytesOf(document: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
}

/** The text of page numbers. */
export const pageWords = { es: ['Página', 'de'], en: ['Page', 'of'] } as const

/** The cells of a row with their columns. Throws an error if there are fewer columns. */
function inColumns<Cell>(cells: readonly Cell[], columns: readonly Column[]): [Cell, Column][] {
  return cells.map((cell, n) => [cell, required(columns[n], 'a column for each cell')])
}
