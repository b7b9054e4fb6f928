import { leadFields } from '#contract/crm/shapes.ts'
import { faultIn } from '#platform/http/input.ts'
import type { LeadInput } from '../fields.ts'
import type { Delimiter } from './csv-reader.ts'

/** What a file of leads can tell of each. */
export const importColumns = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'company',
  'source',
  'stage',
  'notes',
  'score',
  'temperature',
] as const
export type ImportColumn = (typeof importColumns)[number]
/** What only an export has beside them; an import passes it over. */
export const exportOnlyColumns = ['id', 'status', 'assigneeId', 'createdAt', 'updatedAt'] as const

/** Which values of each line are read, by their place; the others are passed over. */
export type CsvColumns = { read: readonly (ImportColumn | null)[]; ignored: string[] }

/** How a file was understood: the names in its first line, and which of its columns are read. */
export type CsvFormat = { names: string[]; columns: CsvColumns; delimiter: Delimiter }

/** Which field a column of the file is, by its name in the file; null: none, it is passed over. */
export type ColumnMapping = ReadonlyMap<string, ImportColumn | null>

/**
 * Understands the first line of a file, in English or Spanish; capitals, accents, spaces and hyphens make no difference:
 * `First name` is firstName, and so is `Nombre`. What `mapping` says of a column counts first. Gives text when it cannot
 * be one: why.
 */
export function parseHeader(
  names: readonly string[],
  isForbidden: (name: ImportColumn) => boolean,
  mapping: ColumnMapping = new Map(),
): CsvColumns | string {
  const trimmed = names.map(name => name.trim())
  const missing = [...mapping.keys()].filter(name => !trimmed.includes(name))
  if (missing.length > 0) return `has no column ${missing.join(', ').slice(0, 200)}, which the mapping names`
  const known = trimmed.map(name => (mapping.has(name) ? mapping.get(name)! : columnOf(name)))
  const unknown = trimmed.filter((_, at) => known[at] === undefined)
  if (unknown.length > 0) return `has columns that are not known: ${unknown.join(', ').slice(0, 200)}`
  const duplicate = known.find((name, at) => name !== null && known.indexOf(name) !== at)
  if (duplicate) return `has the column ${duplicate} twice`
  if (!known.includes('email') && !known.includes('phone')) return 'needs a column email or phone'
  const read = known.map(name => importColumns.find(one => one === name && !isForbidden(one)) ?? null)
  return { read, ignored: known.flatMap((name, at) => (read[at] === null ? [name ?? trimmed[at]!] : [])) }
}

type AnyColumn = ImportColumn | (typeof exportOnlyColumns)[number]
/** What columns are called by other programs, Spanish ones above all. */
const aliases: Partial<Record<AnyColumn, string>> = {
  email:
    'correo, correo electrónico, dirección de correo, dirección de correo electrónico, mail, e-mail address',
  phone: 'teléfono, tel, móvil, teléfono móvil, número de teléfono, celular, telephone, mobile, phone number',
  firstName: 'nombre, nombre de pila, given name',
  lastName: 'apellido, apellidos, surname, family name',
  company: 'empresa, compañía, organización, razón social, organization',
  source: 'origen, fuente, procedencia',
  stage: 'etapa, fase',
  notes: 'notas, nota, observaciones, comentarios, comments',
  score: 'puntuación, puntos',
  temperature: 'temperatura',
  status: 'estado',
  assigneeId: 'responsable',
  createdAt: 'fecha de creación, creado, creado el',
  updatedAt: 'fecha de actualización, actualizado, actualizado el',
}

function normalizedName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\p{M}\s_.-]/gu, '')
}
const byNormalizedName = new Map<string, AnyColumn>([
  ...[...importColumns, ...exportOnlyColumns].map(name => [normalizedName(name), name] as const),
  ...Object.entries(aliases).flatMap(([name, others]) =>
    others.split(', ').map(other => [normalizedName(other), name as AnyColumn] as const),
  ),
])
function columnOf(name: string): AnyColumn | undefined {
  return byNormalizedName.get(normalizedName(name))
}

const temperatures = new Map([
  ['caliente', 'HOT'],
  ['templado', 'WARM'],
  ['tibio', 'WARM'],
  ['frio', 'COLD'],
])

function cellValue(name: ImportColumn, text: string): string | number {
  if (name === 'score') return parseNumber(text)
  return name === 'temperature' ? (temperatures.get(normalizedName(text)) ?? text) : text
}

const validators = Object.fromEntries(importColumns.map(name => [name, faultIn(leadFields[name])]))

export type LineError = { column: string | null; message: string }

/** What a line tells of a lead, and what is wrong with it, by the rules of POST /leads. Empty values are not given. */
export function parseLine(
  { read }: CsvColumns,
  values: readonly string[],
): { input: LeadInput; errors: LineError[] } {
  if (values.length !== read.length) {
    const message = `has ${values.length} values, and the first line ${read.length}`
    return { input: {}, errors: [{ column: null, message }] }
  }
  const input = Object.fromEntries(
    read.flatMap((name, at) => {
      const text = unescapeFormula(values[at]!.trim())
      return name === null || text === '' ? [] : [[name, cellValue(name, text)]]
    }),
  ) as LeadInput
  const errors = Object.entries(input).flatMap(([column, value]) => {
    const message = errorFor(column, value)
    return message === undefined ? [] : [{ column, message }]
  })
  if (errors.length === 0 && !input.email && !input.phone)
    errors.push({ column: 'email', message: 'or phone is needed' })
  return { input, errors }
}

function errorFor(column: string, value: unknown): string | undefined {
  if (String(value).includes('\0')) return 'must not hold NUL'
  const fault = validators[column]!(value)
  if (fault?.code !== 'pattern') return fault?.message
  return column === 'email' ? 'must be an e-mail address' : 'must be text on one line'
}

function parseNumber(text: string): number | string {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : text
}

// what a spreadsheet takes for a formula, with signs as wide as letters of Chinese too
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet takes for a formula. */
export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}
/** The text that was guarded so. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

/** A line of a file, as RFC 4180 has it. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}
function csvCell(value: string | number | null): string {
  const text = value === null ? '' : typeof value === 'number' ? String(value) : escapeFormula(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
