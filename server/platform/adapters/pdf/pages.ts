import PDFDocument from 'pdfkit'
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

export type PdfPages = ReturnType<typeof openPdfPages>

/** The part of a page that blocks fill. */
export const pageArea = { x: margin, width: a4.width - 2 * margin } as const

/** Pages that are filled from top to bottom, with a new page whenever the last one is full. */
export function openPdfPages(
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
  const document = new PDFDocument({
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
  for (const [name, font] of fonts.fonts) document.registerFont(name, font as unknown as string)
  const parts: Buffer[] = []
  const ended = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  const tint = mixedWithWhite(accentColor, 0.08)
  const footerLines = footer === '' ? [] : wrapText({ text: footer, style: 'note' }, pageArea.width)
  const noteHeight = lineHeightOf('note')
  const footerTop = a4.height - bottom - (footerLines.length + 1) * noteHeight
  const floor = footerTop - 14
  let y = margin
  let isPageEmpty = true
  let repeatedHead: (() => void) | undefined
  document.addPage()

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

  function needRoom(height: number): void {
    if (!isPageEmpty && y + height > floor && height < floor - 2 * margin) addPage()
  }

  function widthOf(text: string, style: TextStyle): number {
    const { weight, size } = textStyles[style]
    document.fontSize(size)
    return runsOf(text, fonts, weight).reduce(
      (width, run) => width + document.font(run.font).widthOfString(run.text),
      0,
    )
  }

  function wrapText({ text, style }: StyledText, width: number): StyledText[] {
    if (text === '') return []
    const clean = printable(text, fonts, textStyles[style].weight)
    return linesOf(clean, width, letters => widthOf(letters, style)).map(line => ({ text: line, style }))
  }

  /** Draws a printable line, whose top is at `top`. */
  function drawText({ text, style }: StyledText, { x, width, isFigure }: Column, top: number): void {
    const { weight, size, color } = textStyles[style]
    let left = isFigure ? x + width - widthOf(text, style) : x
    document.fontSize(size).fillColor(color === 'accent' ? accentColor : color)
    for (const run of runsOf(text, fonts, weight)) {
      document.font(run.font)
      document.text(run.text, left, top + size * 1.06, { lineBreak: false, baseline: 'alphabetic' })
      left += document.widthOfString(run.text)
    }
  }

  const heightOf = (lines: readonly StyledText[]) =>
    lines.reduce((height, { style }) => height + lineHeightOf(style), 0)

  function drawRule(top: number, color: string, thickness: number, left: number = margin): void {
    document
      .strokeColor(color)
      .lineWidth(thickness)
      .moveTo(left, top)
      .lineTo(a4.width - margin, top)
      .stroke()
  }

  /**
   * Cells side by side, line by line. Moves to a new page if the cells, with `below` points under them, fit there
   * and not here.
   */
  function row(
    cells: readonly TextCell[],
    columns: readonly Column[],
    { above = 0, below = 0 }: RowOptions = {},
  ): void {
    const texts = cells.map((cell, n) => cell.flatMap(part => wrapText(part, columns[n]!.width)))
    const count = Math.max(0, ...texts.map(({ length }) => length))
    const heights = Array.from({ length: count }, (_, n) =>
      Math.max(...texts.map(lines => (lines[n] ? lineHeightOf(lines[n].style) : 0))),
    )
    const height = above + heights.reduce((sum, one) => sum + one, 0)
    needRoom(height + below)
    y += above
    for (const [n, lineHeight] of heights.entries()) {
      if (!isPageEmpty && y + lineHeight > floor) addPage()
      for (const [at, lines] of texts.entries()) if (lines[n]) drawText(lines[n], columns[at]!, y)
      y += lineHeight
      isPageEmpty = false
    }
  }

  return {
    row,
    widthOf: (text: string, style: TextStyle) =>
      Math.max(
        0,
        ...printable(text, fonts, textStyles[style].weight)
          .split('\n')
          .map(line => widthOf(line, style)),
      ),
    /** Moves to a new page if the rows fit there and not here. */
    keepTogether(rows: readonly (readonly TextCell[])[], columns: readonly Column[], extra = 0): void {
      const heights = rows.map(cells =>
        Math.max(
          0,
          ...cells.map((cell, n) => heightOf(cell.flatMap(part => wrapText(part, columns[n]!.width)))),
        ),
      )
      needRoom(heights.reduce((sum, one) => sum + one, 0) + extra)
    },
    /** Cells side by side, one after the other, each under its picture if it has one. */
    stacks(
      cells: readonly {
        texts: TextCell
        picture?: { image: PdfPicture; box: [number, number] }
        /** Below the picture. */
        below?: TextCell
      }[],
      columns: readonly Column[],
    ): void {
      const stacks = cells.map(({ texts, picture, below = [] }, n) => {
        const lines = texts.flatMap(part => wrapText(part, columns[n]!.width))
        const drawn = picture && fittedPicture(picture)
        const lastLines = below.flatMap(part => wrapText(part, columns[n]!.width))
        const height = heightOf(lines) + (drawn ? drawn.height : 0) + heightOf(lastLines)
        return { lines, drawn, lastLines, height }
      })
      const height = Math.max(...stacks.map(stack => stack.height))
      if (height > floor - 2 * margin) {
        // no page has room for it
        row(
          cells.map(({ texts, below = [] }) => texts.concat(below)),
          columns,
        )
        return
      }
      needRoom(height)
      for (const [n, { lines, drawn, lastLines }] of stacks.entries()) {
        const column = columns[n]!
        let top = y
        for (const line of lines) {
          drawText(line, column, top)
          top += lineHeightOf(line.style)
        }
        if (!drawn) continue
        const left = column.isFigure ? column.x + column.width - drawn.width : column.x
        document.image(drawn.image, left, top, { width: drawn.width, height: drawn.height })
        top += drawn.height
        for (const line of lastLines) {
          drawText(line, column, top)
          top += lineHeightOf(line.style)
        }
      }
      y += height
      isPageEmpty = false
    },
    /** A text on a tinted ground. */
    banner(text: string): void {
      const column = { x: margin + 12, width: pageArea.width - 24 }
      const lines = wrapText({ text, style: 'strong' }, column.width)
      const height = heightOf(lines) + 14
      needRoom(height)
      if (y + height > floor) {
        row([[{ text, style: 'strong' }]], [column])
        return
      }
      document.fillColor(tint).rect(margin, y, pageArea.width, height).fill()
      document.fillColor(accentColor).rect(margin, y, 3, height).fill()
      for (const [n, line] of lines.entries()) drawText(line, column, y + 7 + n * lineHeightOf(line.style))
      y += height
      isPageEmpty = false
    },
    space(points: number): void {
      if (!isPageEmpty) y += points
    },
    rule(kind: 'light' | 'accent', above: number, below: number, left: number = margin): void {
      y += above
      drawRule(y, kind === 'light' ? lightRule : accentColor, kind === 'light' ? 0.6 : 1.1, left)
      y += below
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
    /** Writes the footer and the number of each page, and closes them. */
    end(): Promise<Buffer> {
      const { count } = document.bufferedPageRange()
      const whole = { x: margin, width: pageArea.width }
      const [name] = wrapText({ text: foot, style: 'note' }, whole.width - 110)
      const [page, of] = pageWords[language]
      for (let n = 0; n < count; n++) {
        document.switchToPage(n)
        drawRule(footerTop - 6, lightRule, 0.6)
        for (const [at, line] of footerLines.entries()) drawText(line, whole, footerTop + at * noteHeight)
        const last = footerTop + footerLines.length * noteHeight
        if (name) drawText(name, whole, last)
        drawText(
          { text: `${page} ${n + 1} ${of} ${count}`, style: 'note' },
          { ...whole, isFigure: true },
          last,
        )
      }
      document.end()
      return ended
    },
  }

  function fittedPicture({ image: bytes, box }: { image: PdfPicture; box: [number, number] }) {
    // pdfkit decodes a picture when it is drawn, and knows its size before
    const image = (
      document as unknown as { openImage(bytes: Buffer): { width: number; height: number } }
    ).openImage(Buffer.from(bytes))
    const scale = Math.min((box[0] * pointsPerMm) / image.width, (box[1] * pointsPerMm) / image.height)
    return { image: image as never, width: image.width * scale, height: image.height * scale }
  }
}

/** The text of page numbers. */
export const pageWords = { es: ['Página', 'de'], en: ['Page', 'of'] } as const

/** @param share of the colour in the mixture */
function mixedWithWhite(color: string, share: number): string {
  const parts = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
  const mixed = parts.map(part => Math.round(255 - (255 - part) * share))
  return `#${mixed.map(part => part.toString(16).padStart(2, '0')).join('')}`
}
