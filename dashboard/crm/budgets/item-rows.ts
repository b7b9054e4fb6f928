import { type BudgetForm, newKey, newRow, type SectionForm } from './budget-form.ts'
import { type CellColumn, cellColumns, type ItemRow, type Notation, withCell } from './item-cells.ts'

type Sections = BudgetForm['sections']

/** Changes the rows of the section that has a row; the others stay the same objects. */
function inSectionOf(
  sections: Sections,
  rowKey: string,
  change: (rows: readonly ItemRow[], at: number, row: ItemRow) => readonly ItemRow[],
): Sections {
  return sections.map(section => {
    const at = section.rows.findIndex(({ key }) => key === rowKey)
    const row = section.rows[at]
    return row ? { ...section, rows: change(section.rows, at, row) } : section
  })
}

/** The sections with a changed row. */
export function changeRow(sections: Sections, changed: ItemRow): Sections {
  return inSectionOf(sections, changed.key, (rows, at) => rows.with(at, changed))
}

/** Adds an empty row after a row. Returns its key, too. */
export function addRowAfter(sections: Sections, rowKey: string): { sections: Sections; key: string } {
  const before = sections.flatMap(({ rows }) => rows).find(({ key }) => key === rowKey)
  const row = newRow(before)
  return {
    key: row.key,
    sections: inSectionOf(sections, rowKey, (rows, at) => rows.toSpliced(at + 1, 0, row)),
  }
}

/** Adds an empty row at the end of a section. Returns its key, too. */
export function addRowTo(sections: Sections, sectionKey: string): { sections: Sections; key: string } {
  const row = newRow(sections.find(({ key }) => key === sectionKey)?.rows.at(-1))
  return {
    key: row.key,
    sections: sections.map(section =>
      section.key === sectionKey ? { ...section, rows: [...section.rows, row] } : section,
    ),
  }
}

/** Adds a section with an empty row. Returns its key, too. */
export function addSection(sections: Sections): { sections: Sections; key: string } {
  const section: SectionForm = {
    key: newKey(),
    title: '',
    description: '',
    rows: [newRow(sections.at(-1)?.rows.at(-1))],
  }
  return { key: section.key, sections: [...sections, section] }
}

/** Puts a copy of a row below it. Returns the key of the copy, too. */
export function duplicateRow(sections: Sections, rowKey: string): { sections: Sections; key: string } {
  const key = newKey()
  return {
    key,
    sections: inSectionOf(sections, rowKey, (rows, at, row) => rows.toSpliced(at + 1, 0, { ...row, key })),
  }
}

/** Removes a row. Returns the key of the row that takes its place, if any. */
export function removeRow(
  sections: Sections,
  rowKey: string,
): { sections: Sections; key: string | undefined } {
  const rows = sections.flatMap(section => section.rows)
  const at = rows.findIndex(({ key }) => key === rowKey)
  return {
    key: (rows[at + 1] ?? rows[at - 1])?.key,
    sections: inSectionOf(sections, rowKey, (own, index) => own.toSpliced(index, 1)),
  }
}

/** Moves a row up or down by one; at the end of its section, into the neighbouring section. */
export function moveRow(sections: Sections, rowKey: string, by: -1 | 1): Sections {
  const from = sections.findIndex(({ rows }) => rows.some(({ key }) => key === rowKey))
  const rows = sections[from]?.rows ?? []
  const at = rows.findIndex(({ key }) => key === rowKey)
  const [row, adjacent] = [rows[at], rows[at + by]]
  if (!row) return sections
  if (adjacent) return inSectionOf(sections, rowKey, () => rows.with(at, adjacent).with(at + by, row))
  if (!sections[from + by]) return sections
  return sections.map((section, index) => {
    if (index === from) return { ...section, rows: rows.toSpliced(at, 1) }
    if (index !== from + by) return section
    return { ...section, rows: by === 1 ? [row, ...section.rows] : [...section.rows, row] }
  })
}

/** The cells of a text that a spreadsheet copied: tabs between cells, lines between rows, quotes around both. */
export function cellsOf(text: string): string[][] {
  let row: string[] = []
  const rows = [row]
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let found = cell.exec(lines); found; found = cell.exec(lines)) {
    const [, quoted, plain = '', end] = found
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') break
    if (end !== '\n') continue
    row = []
    rows.push(row)
  }
  return rows
}

/** Writes copied cells from a cell on; rows that are missing are added at the end of the section. */
export function pasteCells(
  sections: Sections,
  rowKey: string,
  column: CellColumn,
  cells: readonly (readonly string[])[],
  notation: Notation,
): Sections {
  return inSectionOf(sections, rowKey, (rows, at) => {
    const pasted = cells.map((texts, index) => {
      const row = rows[at + index] ?? newRow(rows.at(-1))
      return columnsFrom(column, texts).reduce(
        (changed, name, cell) => withCell(changed, name, texts[cell]?.trim() ?? '', notation),
        row,
      )
    })
    return rows.toSpliced(at, pasted.length, ...pasted)
  })
}

/** The columns that the cells of a copied row go to. Name, quantity and price alone are usual: they skip the unit. */
function columnsFrom(column: CellColumn, texts: readonly string[]): CellColumn[] {
  const columns = cellColumns.slice(cellColumns.indexOf(column), cellColumns.indexOf(column) + texts.length)
  const [, , third = ''] = texts
  return column === 'name' && texts.length === 3 && /\d/.test(third) ? ['name', 'quantity', 'price'] : columns
}
