import type { PdfCell, PdfColumn, PdfDocument } from './document.ts'
import { openPdfPages, type StyledText, type TextCell } from './pages.ts'
import { loadFonts } from './text-layout.ts'

/**
 * Writes an A4 document whose bytes depend on the input only. `\ufffd` replaces characters that our fonts
 * lack; invisible control characters are removed.
 */
export async function writePdf({ title, author, language, at, foot, blocks }: PdfDocument): Promise<Buffer> {
  const pages = openPdfPages(await loadFonts(), { title, author, language, at: new Date(at) })
  for (const block of blocks) {
    if (block.kind === 'beside') beside(block.columns)
    else if (block.kind === 'table') table(block.columns, block.rows)
    else if (block.kind === 'totals') totals(block.rows)
    else if (block.kind === 'picture') {
      pages.picture(block.png, block.widthMm)
      pages.row([[{ text: block.text, style: 'note' }]], [{ share: 1 }])
    } else {
      pages.space(spaceAbove[block.kind])
      pages.row(
        [[{ text: block.text, style: block.kind }]],
        [{ share: 1 }],
        block.kind === 'heading' ? 48 : 0,
      )
    }
  }
  return pages.end(foot)

  function beside(columns: readonly (readonly string[])[]): void {
    pages.space(10)
    const cells = columns.map(texts =>
      texts.map((text, n): StyledText => ({ text, style: n === 0 ? 'head' : 'text' })),
    )
    pages.row(
      cells,
      columns.map(() => ({ share: 1 })),
    )
  }

  function table(columns: readonly PdfColumn[], rows: readonly (readonly PdfCell[])[]): void {
    const head = () => {
      pages.row(
        columns.map((column): TextCell => [{ text: column.title, style: 'head' }]),
        columns,
      )
      pages.rule()
    }
    pages.space(8)
    pages.startTable(head)
    for (const row of rows) {
      pages.row(row.map(cellOf), columns)
      pages.rule()
    }
    pages.endTable()
  }

  function totals(rows: readonly (readonly [name: string, figure: string])[]): void {
    pages.space(8)
    const columns = [{ share: 5 }, { share: 3 }, { share: 2, isFigure: true }]
    for (const [n, texts] of rows.entries()) {
      const style = n === rows.length - 1 ? 'strong' : 'text'
      pages.row([[], ...texts.map((text): TextCell => [{ text, style }])], columns)
    }
  }
}

const spaceAbove = { title: 0, heading: 14, text: 4, note: 4 }

function cellOf(cell: PdfCell): TextCell {
  if (typeof cell === 'string') return [{ text: cell, style: 'text' }]
  return [
    { text: cell.text, style: 'text' },
    { text: cell.note, style: 'note' },
  ]
}
