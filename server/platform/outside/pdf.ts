import { setImmediate } from 'node:timers/promises'
import { monotonicMs } from '../clock.ts'
import { loadFonts } from './pdf/letters.ts'
import type { Cell, Part } from './pdf/paper.ts'

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

/** For how long rows are set before others get their turn. */
const turnMs = 20

/**
 * A document on A4, whose bytes depend on nothing but what is given. `\ufffd` stands for characters that our fonts do
 * not have; those that are not seen but steer others are left out.
 */
export async function makePdf({ title, author, language, at, foot, blocks }: PdfDocument): Promise<Buffer> {
  // loaded with the first document: many servers make none for days
  const [{ openPaper }, fonts] = await Promise.all([import('./pdf/paper.ts'), loadFonts()])
  const paper = openPaper(fonts, { title, author, language, at: new Date(at) })
  for (const block of blocks) {
    if (block.kind === 'beside') beside(block.columns)
    else if (block.kind === 'table') await table(block.columns, block.rows)
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

  async function table(columns: readonly PdfColumn[], rows: readonly (readonly PdfCell[])[]): Promise<void> {
    const head = () => {
      paper.row(
        columns.map((column): Cell => [{ text: column.title, looks: 'head' }]),
        columns,
      )
      paper.rule()
    }
    paper.space(8)
    paper.startTable(head)
    let turnEndsMs = monotonicMs() + turnMs
    for (const row of rows) {
      if (monotonicMs() > turnEndsMs) {
        await setImmediate()
        turnEndsMs = monotonicMs() + turnMs
      }
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
