import { unescapeFormula } from '#platform/csv.ts'
import { required } from '#platform/required.ts'
import type { Delimiter } from './csv-reader.ts'

/** The field of each value of a line, by position; null ignores a value. */
export type CsvColumns = { read: readonly (string | null)[]; ignored: string[] }

/** The detected format of a file: its header, the fields of its columns, and the delimiter. */
export type CsvFormat = { names: string[]; columns: CsvColumns; delimiter: Delimiter }

/** The field of each column by its name in the file; null ignores the column. */
export type ColumnMapping = ReadonlyMap<string, string | null>

/** The columns that an import of one kind knows. */
export type KnownColumns = {
  /** The fields of a record. */
  readonly fields: readonly string[]
  /** Additional columns of an export, which an import ignores. */
  readonly exportOnly: readonly string[]
  /** Names in other programs, separated by commas. */
  readonly aliases: Readonly<Record<string, string>>
  /** A file must have a column for one of these fields. */
  readonly oneOf: readonly string[]
}

/** Finds the field of a column by its name. */
export type ColumnNames = { known: KnownColumns; byName: ReadonlyMap<string, string> }

/** A name without case, accents, spaces, hyphens and dots. */
export function normalizedName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\p{M}\s_.-]/gu, '')
}

export function columnNames(known: KnownColumns): ColumnNames {
  const byName = new Map<string, string>()
  for (const name of [...known.fields, ...known.exportOnly]) byName.set(normalizedName(name), name)
  for (const [name, others] of Object.entries(known.aliases))
    for (const other of others.split(', ')) byName.set(normalizedName(other), name)
  return { known, byName }
}

/**
 * Parses the header of a file, in English or Spanish. Case, accents, spaces and hyphens make no difference: `First name` and
 * `Nombre` are firstName. `mapping` takes precedence. Returns an error text if the header is invalid.
 */
export function parseHeader(
  { known, byName }: ColumnNames,
  names: readonly string[],
  isForbidden: (field: string) => boolean,
  mapping: ColumnMapping = new Map(),
): CsvColumns | string {
  const trimmed = names.map(name => name.trim())
  const missing = [...mapping.keys()].filter(name => !trimmed.includes(name))
  if (missing.length > 0) return `has no column ${missing.join(', ').slice(0, 200)}, which the mapping names`
  // a name that is mapped to null is left out
  const found = trimmed.map(name =>
    mapping.has(name) ? mapping.get(name) : byName.get(normalizedName(name)),
  )
  const unknown = trimmed.filter((_, at) => found[at] === undefined)
  if (unknown.length > 0) return `has unknown columns: ${unknown.join(', ').slice(0, 200)}`
  const duplicate = found.find((name, at) => name !== null && found.indexOf(name) !== at)
  if (duplicate) return `has the column ${duplicate} twice`
  if (!known.oneOf.some(name => found.includes(name))) return `must have a column ${known.oneOf.join(' or ')}`
  const read = found.map(name => known.fields.find(one => one === name && !isForbidden(one)) ?? null)
  return { read, ignored: trimmed.flatMap((name, at) => (read[at] === null ? [found[at] ?? name] : [])) }
}

export type LineError = { column: string | null; message: string }
/** The values of a line by their fields, before they are validated. */
export type LineValues = Record<string, string | number>

/** The values of a line and its error. Empty values are omitted. `convert` turns a text into the value of a field. */
export function readLine(
  { read }: CsvColumns,
  values: readonly string[],
  convert: (field: string, text: string) => string | number,
): { input: LineValues; errors: LineError[] } {
  if (values.length !== read.length) {
    const message = `has ${values.length} values, but the header has ${read.length}`
    return { input: {}, errors: [{ column: null, message }] }
  }
  const input = Object.fromEntries(
    values.flatMap((value, at) => {
      const name = read[at] ?? null
      const text = unescapeFormula(value.trim())
      return name === null || text === '' ? [] : [[name, convert(name, text)]]
    }),
  )
  return { input, errors: [] }
}

type Fault = { code: string; message: string }

/** The errors of values by the rules of their fields. */
export function valueErrors(
  input: LineValues,
  validators: Readonly<Record<string, (value: unknown) => Fault | undefined>>,
  patternMessage: (field: string) => string,
): LineError[] {
  return Object.entries(input).flatMap(([column, value]) => {
    if (String(value).includes('\0')) return [{ column, message: 'must not contain NUL' }]
    const fault = required(validators[column], `the rules of ${column}`)(value)
    if (!fault) return []
    return [{ column, message: fault.code === 'pattern' ? patternMessage(column) : fault.message }]
  })
}
