import PDFDocument from 'pdfkit'
import { type Fonts, linesOf, printable } from './letters.ts'

/** All in points. */
const margin = 48
const gap = 10
const a4 = { width: 595.28, height: 841.89 }
const pointsPerMm = 72 / 25.4
const looks = {
  title: { font: 'bold', size: 18, color: '#111111' },
  heading: { font: 'bold', size: 11, color: '#111111' },
  strong: { font: 'bold', size: 10, color: '#111111' },
  text: { font: 'plain', size: 9, color: '#222222' },
  head: { font: 'bold', size: 8, color: '#555555' },
  note: { font: 'plain', size: 8, color: '#555555' },
} as const
const lineHeightOf = ({ size }: { size: number }) => size * 1.35

export type Looks = keyof typeof looks
export type Part = { text: string; looks: Looks }
/** Texts below each other. */
export type Cell = readonly Part[]
type Room = { share: number; isFigure?: boolean }
type Line = { text: string; looks: Looks }

export type Paper = ReturnType<typeof openPaper>

/** Pages that are written from the top down, a new one whenever there is no room on the last. */
export function openPaper(
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
    // no other font than ours, which are in the file
    font: '',
  })
  for (const [name, font] of Object.entries(fonts)) document.registerFont(name, font as unknown as string)
  const parts: Buffer[] = []
  const ended = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  const floor = a4.height - margin - 2 * lineHeightOf(looks.note)
  let y = margin
  let isFresh = true
  let repeated: (() => void) | undefined
  document.addPage()

  function dress(name: Looks): void {
    const { font, size, color } = looks[name]
    document.font(font).fontSize(size).fillColor(color)
  }

  function turnPage(): void {
    document.addPage()
    y = margin
    isFresh = true
    const again = repeated
    if (!again) return
    // what is repeated fits on a page, and must not call itself
    repeated = undefined
    again()
    repeated = again
    isFresh = true
  }

  function set({ text, looks: name }: Part, width: number): Line[] {
    if (text === '') return []
    dress(name)
    const clean = printable(text, fonts[looks[name].font])
    return linesOf(clean, width, letters => document.widthOfString(letters)).map(line => ({
      text: line,
      looks: name,
    }))
  }

  function write(text: string, name: Looks, x: number, width: number, isFigure = false): void {
    dress(name)
    const left = isFigure ? x + width - document.widthOfString(text) : x
    document.text(text, left, y, { lineBreak: false })
  }

  /** One line of each cell, as high as the highest of them. */
  function line(
    cells: (Line | undefined)[],
    places: { x: number; width: number; isFigure?: boolean }[],
  ): void {
    for (const [n, at] of cells.entries())
      if (at) write(at.text, at.looks, places[n]!.x, places[n]!.width, places[n]!.isFigure)
  }

  return {
    /** Cells beside each other. Moves to a new page what has room there, with `below` points under it, and not here. */
    row(cells: readonly Cell[], rooms: readonly Room[], below = 0): void {
      const places = placesOf(rooms)
      const texts = cells.map((cell, n) => cell.flatMap(part => set(part, places[n]!.width)))
      const count = Math.max(0, ...texts.map(({ length }) => length))
      const rows = Array.from({ length: count }, (_, n) => texts.map(lines => lines[n]))
      const heights = rows.map(row => Math.max(...row.map(at => (at ? lineHeightOf(looks[at.looks]) : 0))))
      const height = heights.reduce((sum, one) => sum + one, 0) + below
      if (!isFresh && y + height > floor && height < floor - 2 * margin) turnPage()
      for (const [n, row] of rows.entries()) {
        if (!isFresh && y + heights[n]! > floor) turnPage()
        line(row, places)
        y += heights[n]!
        isFresh = false
      }
    },
    space(points: number): void {
      if (!isFresh) y += points
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
      const side = widthMm * pointsPerMm
      if (!isFresh && y + side > floor) turnPage()
      document.image(Buffer.from(png), margin, y, { width: side })
      y += side + gap / 2
      isFresh = false
    },
    /** What stands over the rows that follow, on this page and on every page that they reach. */
    startTable(head: () => void): void {
      // a head with nothing below it says nothing
      if (!isFresh && y + 60 > floor) turnPage()
      head()
      repeated = head
    },
    endTable(): void {
      repeated = undefined
    },
    /** Numbers the pages and closes them. */
    end(foot: string): Promise<Buffer> {
      const { count } = document.bufferedPageRange()
      const width = a4.width - 2 * margin
      for (let n = 0; n < count; n++) {
        document.switchToPage(n)
        y = a4.height - margin - lineHeightOf(looks.note)
        const [first] = set({ text: foot, looks: 'note' }, width - 80)
        if (first) write(first.text, 'note', margin, width)
        write(`${n + 1} / ${count}`, 'note', margin, width, true)
      }
      document.end()
      return ended
    },
  }
}

function placesOf(rooms: readonly Room[]): { x: number; width: number; isFigure?: boolean }[] {
  const all = a4.width - 2 * margin - gap * (rooms.length - 1)
  const shares = rooms.reduce((sum, { share }) => sum + share, 0)
  let x = margin
  return rooms.map(({ share, isFigure }) => {
    const width = (all * share) / shares
    const place = { x, width, ...(isFigure && { isFigure }) }
    x += width + gap
    return place
  })
}
