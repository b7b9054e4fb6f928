import PDFDocument from 'pdfkit'
import { type Fonts, linesOf, printable } from './text-layout.ts'

/** All sizes are in points. */
const margin = 48
const gap = 10
const a4 = { width: 595.28, height: 841.89 }
const pointsPerMm = 72 / 25.4
const textStyles = {
  title: { font: 'bold', size: 18, color: '#111111' },
  heading: { font: 'bold', size: 11, color: '#111111' },
  strong: { font: 'bold', size: 10, color: '#111111' },
  text: { font: 'plain', size: 9, color: '#222222' },
  head: { font: 'bold', size: 8, color: '#555555' },
  note: { font: 'plain', size: 8, color: '#555555' },
} as const
const lineHeightOf = ({ size }: { size: number }) => size * 1.35

export type TextStyle = keyof typeof textStyles
export type StyledText = { text: string; style: TextStyle }
/** Texts below each other. */
export type TextCell = readonly StyledText[]
type ColumnWidth = { share: number; isFigure?: boolean }
type StyledLine = { text: string; style: TextStyle }

export type PdfPages = ReturnType<typeof openPdfPages>

/** Pages that are filled from top to bottom, with a new page whenever the last one is full. */
export function openPdfPages(
  fonts: Fonts,
  { title, author, language, at }: { title: string; author: string; language: string; at: Date },
) {
  const info = {
    Title: title,
    Author: author,
    Producer: 'Patio',
    Creator: 'Patio',
    CreationDate: at,
    ModDate: at,
  }
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    info,
    // no fonts other than ours, which are embedded
    font: '',
  })
  for (const [name, font] of Object.entries(fonts)) document.registerFont(name, font as unknown as string)
  const parts: Buffer[] = []
  const ended = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  const floor = a4.height - margin - 2 * lineHeightOf(textStyles.note)
  let y = margin
  let isPageEmpty = true
  let repeatedHead: (() => void) | undefined
  document.addPage()

  function applyStyle(name: TextStyle): void {
    const { font, size, color } = textStyles[name]
    document.font(font).fontSize(size).fillColor(color)
  }

  function addPage(): void {
    document.addPage()
    y = margin
    isPageEmpty = true
    const head = repeatedHead
    if (!head) return
    // the repeated head fits on a page, and must not repeat itself
    repeatedHead = undefined
    head()
    repeatedHead = head
    isPageEmpty = true
  }

  function wrapText({ text, style: name }: StyledText, width: number): StyledLine[] {
    if (text === '') return []
    applyStyle(name)
    const clean = printable(text, fonts[textStyles[name].font])
    return linesOf(clean, width, letters => document.widthOfString(letters)).map(line => ({
      text: line,
      style: name,
    }))
  }

  function drawText(text: string, name: TextStyle, x: number, width: number, isFigure = false): void {
    applyStyle(name)
    const left = isFigure ? x + width - document.widthOfString(text) : x
    document.text(text, left, y, { lineBreak: false })
  }

  /** One line of each cell, as high as the highest. */
  function line(
    cells: (StyledLine | undefined)[],
    positions: { x: number; width: number; isFigure?: boolean }[],
  ): void {
    for (const [n, at] of cells.entries())
      if (at) drawText(at.text, at.style, positions[n]!.x, positions[n]!.width, positions[n]!.isFigure)
  }

  return {
    /**
     * Cells side by side. Moves to a new page if the cells, with `below` points under them, fit there and not
     * here.
     */
    row(cells: readonly TextCell[], columns: readonly ColumnWidth[], below = 0): void {
      const positions = columnPositions(columns)
      const texts = cells.map((cell, n) => cell.flatMap(part => wrapText(part, positions[n]!.width)))
      const count = Math.max(0, ...texts.map(({ length }) => length))
      const rows = Array.from({ length: count }, (_, n) => texts.map(lines => lines[n]))
      const heights = rows.map(row =>
        Math.max(...row.map(at => (at ? lineHeightOf(textStyles[at.style]) : 0))),
      )
      const height = heights.reduce((sum, one) => sum + one, 0) + below
      if (!isPageEmpty && y + height > floor && height < floor - 2 * margin) addPage()
      for (const [n, row] of rows.entries()) {
        if (!isPageEmpty && y + heights[n]! > floor) addPage()
        line(row, positions)
        y += heights[n]!
        isPageEmpty = false
      }
    },
    space(points: number): void {
      if (!isPageEmpty) y += points
    },
    rule(): void {
      y += 3
      document.strokeColor('#cccccc').lineWidth(0.5)
      document
        .moveTo(margin, y)
        .lineTo(a4.width - margin, y)
        .stroke()
      y += 4
    },
    picture(png: Uint8Array, widthMm: number): void {
      const size = widthMm * pointsPerMm
      if (!isPageEmpty && y + size > floor) addPage()
      document.image(Buffer.from(png), margin, y, { width: size })
      y += size + gap / 2
      isPageEmpty = false
    },
    /** Repeats a head above the following rows, on this page and on further pages. */
    startTable(head: () => void): void {
      // a head without a row below it is useless
      if (!isPageEmpty && y + 60 > floor) addPage()
      head()
      repeatedHead = head
    },
    endTable(): void {
      repeatedHead = undefined
    },
    /** Numbers the pages and closes them. */
    end(foot: string): Promise<Buffer> {
      const { count } = document.bufferedPageRange()
      const width = a4.width - 2 * margin
      for (let n = 0; n < count; n++) {
        document.switchToPage(n)
        y = a4.height - margin - lineHeightOf(textStyles.note)
        const [first] = wrapText({ text: foot, style: 'note' }, width - 80)
        if (first) drawText(first.text, 'note', margin, width)
        drawText(`${n + 1} / ${count}`, 'note', margin, width, true)
      }
      document.end()
      return ended
    },
  }
}

function columnPositions(
  columns: readonly ColumnWidth[],
): { x: number; width: number; isFigure?: boolean }[] {
  const all = a4.width - 2 * margin - gap * (columns.length - 1)
  const shares = columns.reduce((sum, { share }) => sum + share, 0)
  let x = margin
  return columns.map(({ share, isFigure }) => {
    const width = (all * share) / shares
    const position = { x, width, ...(isFigure && { isFigure }) }
    x += width + gap
    return position
  })
}
