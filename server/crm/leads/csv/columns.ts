import { leadFields } from '#contract/crm/shapes.ts'
import { faultIn } from '#platform/http/input.ts'
import type { GivenLead } from '../fields.ts'
import type { Delimiter } from './read.ts'

/** What a file of leads can tell of each. */
export const readColumns = [
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
export type ReadColumn = (typeof readColumns)[number]
/** What only an export has beside them; an import passes it over. */
export const writtenColumns = ['id', 'status', 'assigneeId', 'createdAt', 'updatedAt'] as const

/** Which values of each line are read, by their place; the others are passed over. */
export type Columns = { read: readonly (ReadColumn | null)[]; ignored: string[] }

/** How a file was understood: the names in its first line, and which of its columns are read. */
export type CsvFormat = { names: string[]; columns: Columns; delimiter: Delimiter }

/** Which field a column of the file is, by its name in the file; null: none, it is passed over. */
export type Mapping = ReadonlyMap<string, ReadColumn | null>

/**
 * Understands the first line of a file, in English or Spanish; capitals, accents, spaces and hyphens make no difference:
 * `First name` is firstName, and so is `Nombre`. What `mapping` says of a column counts first. Gives text when it cannot
 * be one: why.
 */
export function columnsOf(
  names: readonly string[],
  isForbidden: (name: ReadColumn) => boolean,
  mapping: Mapping = new Map(),
): Columns | string {
  const trimmed = names.map(name => name.trim())
  const missing = [...mapping.keys()].filter(name => !trimmed.includes(name))
  if (missing.length > 0) return `has no column ${missing.join(', ').slice(0, 200)}, which the mapping names`
  const known = trimmed.map(name => (mapping.has(name) ? mapping.get(name)! : columnOf(name)))
  const unknown = trimmed.filter((_, at) => known[at] === undefined)
  if (unknown.length > 0) return `has columns that are not known: ${unknown.join(', ').slice(0, 200)}`
  const twice = known.find((name, at) => name !== null && known.indexOf(name) !== at)
  if (twice) return `has the column ${twice} twice`
  if (!known.includes('email') && !known.includes('phone')) return 'needs a column email or phone'
  const read = known.map(name => readColumns.find(one => one === name && !isForbidden(one)) ?? null)
  return { read, ignored: known.flatMap((name, at) => (read[at] === null ? [name ?? trimmed[at]!] : [])) }
}

type AnyColumn = ReadColumn | (typeof writtenColumns)[number]
/** What columns are called by other programs, Spanish ones above all. */
const otherNames: Partial<Record<AnyColumn, string>> = {
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

function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\p{M}\s_.-]/gu, '')
}
const byPlainName = new Map<string, AnyColumn>([
  ...[...readColumns, ...writtenColumns].map(name => [plain(name), name] as const),
  ...Object.entries(otherNames).flatMap(([name, others]) =>
    others.split(', ').map(other => [plain(other), name as AnyColumn] as const),
  ),
])
function columnOf(name: string): AnyColumn | undefined {
  return byPlainName.get(plain(name))
}

const temperatures = new Map([
  ['caliente', 'HOT'],
  ['templado', 'WARM'],
  ['tibio', 'WARM'],
  ['frio', 'COLD'],
])

function cellValue(name: ReadColumn, text: string): string | number {
  if (name === 'score') return numberIn(text)
  return name === 'temperature' ? (temperatures.get(plain(text)) ?? text) : text
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
      return name === null || text === '' ? [] : [[name, cellValue(name, text)]]
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
