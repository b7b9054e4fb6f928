import type { PdfBlock, PdfCell, PdfColumn, PdfDocument } from './document.ts'
import { loadFonts } from './fonts.ts'
import { type Column, PdfPages, pageArea, pageWords, type TextCell } from './pages.ts'

type BlockOf<Kind extends PdfBlock['kind']> = Extract<PdfBlock, { kind: Kind }>

/** All sizes are in points, but those of pictures, which are in mm. */
const gap = 12
const logoBox: [number, number] = [58, 22]
/** Figures wider than this are broken. */
const widestFigure = 120
/** The least share of the width for the texts of a table. */
const leastTextShare = 0.36

/**
 * Writes an A4 document whose bytes depend on the input only. `\ufffd` replaces characters that our fonts
 * lack; invisible control characters are removed.
 */
export async function writePdf({ blocks, at, ...settings }: PdfDocument): Promise<Buffer> {
  const fonts = await loadFonts(textsOf([settings, blocks, pageWords]).join(' 0123456789'))
  const pages = new PdfPages(fonts, { ...settings, at: new Date(at) })
  for (const block of blocks) {
    if (block.kind === 'head') writeHead(pages, block)
    else if (block.kind === 'beside') writeBeside(pages, block)
    else if (block.kind === 'table') writeTable(pages, block.columns, block.rows)
    else if (block.kind === 'totals') writeTotals(pages, block.rows)
    else if (block.kind === 'facts') writeFacts(pages, block)
    else if (block.kind === 'banner') {
      pages.space(12)
      pages.banner(block.text)
    } else {
      pages.space(spaceAbove[block.kind])
      pages.row([[{ text: block.text, style: block.kind }]], [pageArea], {
        below: block.kind === 'heading' ? 48 : 0,
      })
    }
  }
  return pages.end()
}

function writeHead(
  pages: PdfPages,
  { sender, logo, title, number = '', facts: rows }: BlockOf<'head'>,
): void {
  const [left, right] = columnsOf(2)
  pages.stacks(
    [
      logo
        ? { texts: [], picture: { image: logo, box: logoBox } }
        : { texts: [{ text: sender, style: 'sender' }] },
      {
        texts: [
          { text: title, style: 'title' },
          { text: number, style: 'number' },
        ],
      },
    ],
    [left!, { ...right!, isFigure: true }],
  )
  pages.space(4)
  const names: Column = { x: pageArea.x, width: pageArea.width - 130, isFigure: true }
  const values: Column = { x: pageArea.x + pageArea.width - 122, width: 122, isFigure: true }
  for (const [name, value] of rows)
    pages.row([[{ text: name, style: 'note' }], [{ text: value, style: 'text' }]], [names, values])
  pages.rule('accent', 8, 0)
}

function writeBeside(pages: PdfPages, { columns, picture }: BlockOf<'beside'>): void {
  pages.space(14)
  const cells = columns.map(([heading = '', name = '', ...lines]) => ({
    texts: [
      { text: heading, style: 'head' },
      { text: name, style: 'strong' },
      ...lines.map(text => ({ text, style: 'text' }) as const),
    ] satisfies TextCell,
  }))
  if (!picture) {
    pages.stacks(cells, columnsOf(columns.length))
    return
  }
  const { image, widthMm, caption, below } = picture
  const width = (widthMm * 72) / 25.4
  const texts = columnsOf(columns.length, pageArea.width - width - gap)
  pages.stacks(
    [
      ...cells,
      {
        texts: [{ text: caption, style: 'note' }],
        picture: { image, box: [widthMm, widthMm] },
        ...(below !== undefined && { below: [{ text: below, style: 'strong' }] }),
      },
    ],
    [...texts, { x: pageArea.x + pageArea.width - width, width }],
  )
}

function writeTable(
  pages: PdfPages,
  columns: readonly PdfColumn[],
  rows: readonly (readonly PdfCell[])[],
): void {
  const positions = tableColumns(pages, columns, rows)
  const titles = columns.map((column): TextCell => [{ text: column.title, style: 'head' }])
  pages.space(14)
  pages.startTable(() => {
    pages.row(titles, positions)
    pages.rule('accent', 3, 0)
  })
  for (const row of rows) {
    pages.row(row.map(cellOf), positions, { above: 4, below: 4 })
    pages.rule('light', 4, 0)
  }
  pages.endTable()
}

/** Columns of figures are as wide as their figures need; those of texts share the rest. */
function tableColumns(
  pages: PdfPages,
  columns: readonly PdfColumn[],
  rows: readonly (readonly PdfCell[])[],
): Column[] {
  const figures = columns.map((column, n) => {
    if (!column.isFigure) return 0
    const widths = rows.map(row => pages.widthOf(textOf(row[n]!), 'text'))
    const widest = widths.reduce((most, width) => Math.max(most, width), pages.widthOf(column.title, 'head'))
    return Math.min(widestFigure, Math.ceil(widest) + 0.5)
  })
  const available = pageArea.width - gap * (columns.length - 1)
  const wanted = figures.reduce((sum, width) => sum + width, 0)
  const scale = Math.min(1, (available * (1 - leastTextShare)) / Math.max(1, wanted))
  const rest = available - wanted * scale
  const texts = columns.filter(({ isFigure }) => !isFigure).length
  let x: number = pageArea.x
  return columns.map(({ isFigure = false }, n) => {
    const width = isFigure ? figures[n]! * scale : rest / texts
    const column = { x, width, isFigure }
    x += width + gap
    return column
  })
}

function writeTotals(pages: PdfPages, rows: BlockOf<'totals'>['rows']): void {
  const styleOf = (n: number) => (n === rows.length - 1 ? 'total' : 'text')
  const widest = rows.map(([, figure], n) => pages.widthOf(figure, styleOf(n)))
  const figures = Math.min(pageArea.width * 0.4, Math.max(100, ...widest) + 1)
  const names = Math.max(150, pageArea.width * 0.5 - figures - gap)
  const x = pageArea.x + pageArea.width - figures - gap - names
  const columns: Column[] = [
    { x, width: names },
    { x: x + names + gap, width: figures, isFigure: true },
  ]
  const cells = rows.map((texts, n) => texts.map((text): TextCell => [{ text, style: styleOf(n) }]))
  pages.space(10)
  pages.keepTogether(cells, columns, 24)
  for (const [n, row] of cells.entries()) {
    if (n === rows.length - 1) pages.rule('accent', 5, 3, x)
    pages.row(row, columns)
  }
}

function writeFacts(pages: PdfPages, { heading, rows }: BlockOf<'facts'>): void {
  const names = Math.max(70, ...rows.map(([name]) => Math.min(160, pages.widthOf(name, 'note'))))
  const columns: Column[] = [
    { x: pageArea.x, width: names + 1 },
    { x: pageArea.x + names + gap, width: pageArea.width - names - gap },
  ]
  const cells = rows.map(([name, value]): TextCell[] => [
    [{ text: name, style: 'note' }],
    [{ text: value, style: 'text' }],
  ])
  pages.space(16)
  pages.keepTogether(cells, columns, 24 + 2 * rows.length)
  pages.row([[{ text: heading, style: 'heading' }]], [pageArea], { below: 30 })
  pages.space(3)
  for (const row of cells) pages.row(row, columns, { above: 2 })
}

const spaceAbove = { subject: 14, heading: 16, text: 4, note: 4 }

/** Columns of the same width. */
function columnsOf(count: number, width: number = pageArea.width): Column[] {
  const each = (width - gap * (count - 1)) / count
  return Array.from({ length: count }, (_, n) => ({ x: pageArea.x + n * (each + gap), width: each }))
}

const textOf = (cell: PdfCell) => (typeof cell === 'string' ? cell : cell.text)

function cellOf(cell: PdfCell): TextCell {
  if (typeof cell === 'string') return [{ text: cell, style: 'text' }]
  return [
    { text: cell.text, style: 'text' },
    { text: cell.note, style: 'note' },
  ]
}

/** All texts in a value, at any depth. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return Object.values(value).flatMap(textsOf)
}
