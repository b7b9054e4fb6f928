// the beginnings that a spreadsheet reads as a formula, including full-width signs
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Prefixes a text that a spreadsheet would read as a formula. */
export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}
/** Removes that prefix. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

/** A decimal number, which is no formula even if it is negative. */
type DecimalCell = { decimal: string }
type CsvCell = string | number | DecimalCell | null

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.decimal
  const text = escapeFormula(cell)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets recognize UTF-8 by this mark. */
export const byteOrderMark = '\ufeff'
