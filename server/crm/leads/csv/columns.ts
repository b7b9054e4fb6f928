import { leadFields } from '#contract/crm/shapes.ts'
import { faultIn } from '#platform/input.ts'
import type { GivenLead } from '../fields.ts'

/** What a file of leads can tell of each. */
export const readColumns = [
  ...(['email', 'phone', 'firstName', 'lastName', 'company', 'source', 'stage'] as const),
  ...(['notes', 'score', 'temperature'] as const),
]
type ReadColumn = (typeof readColumns)[number]
/** What only an export has beside them; an import passes it over. */
export const writtenColumns = ['id', 'status', 'assigneeId', 'createdAt', 'updatedAt'] as const

/** Which values of each line are read, by their place; the others are passed over. */
export type Columns = { read: readonly (ReadColumn | null)[]; ignored: string[] }

/**
 * Understands the first line of a file; capitals, spaces and hyphens make no difference: `First name` is firstName.
 * Gives text when it cannot be one: why.
 */
export function columnsOf(
  names: readonly string[],
  isForbidden: (name: ReadColumn) => boolean,
): Columns | string {
  const known = names.map(columnOf)
  const unknown = names.filter((_, at) => known[at] === undefined)
  if (unknown.length > 0) return `has columns that are not known: ${unknown.join(', ').slice(0, 200)}`
  const twice = known.find((name, at) => known.indexOf(name) !== at)
  if (twice) return `has the column ${twice} twice`
  if (!known.includes('email') && !known.includes('phone')) return 'needs a column email or phone'
  const read = known.map(name => readColumns.find(one => one === name && !isForbidden(one)) ?? null)
  return { read, ignored: known.filter((_, at) => read[at] === null).map(name => name!) }
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')
const byPlainName = new Map([...readColumns, ...writtenColumns].map(name => [plain(name), name]))
function columnOf(name: string) {
  return byPlainName.get(plain(name))
}

const faults = Object.fromEntries(readColumns.map(name => [name, faultIn(leadFields[name])]))

export type LineError = { column: string | null; message: string }

/** What a line tells of a lead, and what is wrong with it, by the rules of POST /leads. Empty values are not given. */
export function readLine(
  { read }: Columns,
  values: readonly string[],
): { given: GivenLead; errors: LineError[] } {
  if (values.length !== read.length) {
    const message = `has ${values.length} values, and the first line ${read.length}`
    return { given: {}, errors: [{ column: null, message }] }
  }
  const given = Object.fromEntries(
    read.flatMap((name, at) => {
      const text = unguarded(values[at]!.trim())
      return name === null || text === '' ? [] : [[name, name === 'score' ? numberIn(text) : text]]
    }),
  ) as GivenLead
  const errors = Object.entries(given).flatMap(([column, value]) => {
    const message = faultOf(column, value)
    return message === undefined ? [] : [{ column, message }]
  })
  if (errors.length === 0 && !given.email && !given.phone)
    errors.push({ column: 'email', message: 'or phone is needed' })
  return { given, errors }
}

function faultOf(column: string, value: unknown): string | undefined {
  if (String(value).includes('\0')) return 'must not hold NUL'
  const fault = faults[column]!(value)
  if (fault?.code !== 'pattern') return fault?.message
  return column === 'email' ? 'must be an e-mail address' : 'must be text on one line'
}

function numberIn(text: string): number | string {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : text
}

// what a spreadsheet takes for a formula, with signs as wide as letters of Chinese too
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet takes for a formula. */
export function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text
}
/** The text that was guarded so. */
export function unguarded(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

/** A line of a file, as RFC 4180 has it. */
export function lineOf(values: readonly (string | number | null)[]): string {
  return `${values.map(cellOf).join(',')}\r\n`
}
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : typeof value === 'number' ? String(value) : guarded(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
