import type { PdfCell, PdfColumn, PdfDocument } from './document.ts'
import { loadFonts } from './letters.ts'
import { type Cell, openPaper, type Part } from './paper.ts'

/**
 * A document on A4, whose bytes depend on nothing but what is given. `\ufffd` stands for characters that our fonts do
 * not have; those that are not seen but steer others are left out.
 */
export async function writePdf({ title, author, language, at, foot, blocks }: PdfDocument): Promise<Buffer> {
  const paper = openPaper(await loadFonts(), { title, author, language, at: new Date(at) })
  for (const block of blocks) {
    if (block.kind === 'beside') beside(block.columns)
    else if (block.kind === 'table') table(block.columns, block.rows)
    else if (block.kind === 'totals') totals(block.rows)
    else if (block.kind === 'picture') {
      paper.picture(block.png, block.widthMm)
      paper.row([[{ text: block.text, looks: 'note' }]], [{ share: 1 }])
    } else {
      paper.space(above[block.kind])
      paper.row(
        [[{ text: block.text, looks: block.kind }]],
        [{ share: 1 }],
        block.kind === 'heading' ? 48 : 0,
      )
    }
  }
  return paper.end(foot)

  function beside(columns: readonly (readonly string[])[]): void {
    paper.space(10)
    const cells = columns.map(texts =>
      texts.map((text, n): Part => ({ text, looks: n === 0 ? 'head' : 'text' })),
    )
    paper.row(
      cells,
      columns.map(() => ({ share: 1 })),
    )
  }

  function table(columns: readonly PdfColumn[], rows: readonly (readonly PdfCell[])[]): void {
    const head = () => {
      paper.row(
        columns.map((column): Cell => [{ text: column.title, looks: 'head' }]),
        columns,
      )
      paper.rule()
    }
    paper.space(8)
    paper.startTable(head)
    for (const row of rows) {
      paper.row(row.map(cellOf), columns)
      paper.rule()
    }
    paper.endTable()
  }

  function totals(rows: readonly (readonly [name: string, figure: string])[]): void {
    paper.space(8)
    const columns = [{ share: 5 }, { share: 3 }, { share: 2, isFigure: true }]
    for (const [n, texts] of rows.entries()) {
      const looks = n === rows.length - 1 ? 'strong' : 'text'
      paper.row([[], ...texts.map((text): Cell => [{ text, looks }])], columns)
    }
  }
}

const above = { title: 0, heading: 14, text: 4, note: 4 }

function cellOf(cell: PdfCell): Cell {
  if (typeof cell === 'string') return [{ text: cell, looks: 'text' }]
  return [
    { text: cell.text, looks: 'text' },
    { text: cell.note, looks: 'note' },
  ]
}
