import { leadFields } from '#contract/crm/shapes.ts'
import { unescapeFormula } from '#platform/csv.ts'
import { faultIn } from '#platform/http/input.ts'
import type { LeadInput } from '../fields.ts'
import type { Delimiter } from './csv-reader.ts'

/** The columns that an import reads. */
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
/** Additional columns of an export, which an import ignores. */
export const exportOnlyColumns = ['id', 'status', 'assigneeId', 'createdAt', 'updatedAt'] as const

/** The field of each value of a line, by position; null ignores a value. */
export type CsvColumns = { read: readonly (ImportColumn | null)[]; ignored: string[] }

/** The detected format of a file: its header, the fields of its columns, and the delimiter. */
export type CsvFormat = { names: string[]; columns: CsvColumns; delimiter: Delimiter }

/** The field of each column by its name in the file; null ignores the column. */
export type ColumnMapping = ReadonlyMap<string, ImportColumn | null>

/**
 * Parses the header of a file, in English or Spanish. Case, accents, spaces and hyphens make no difference: `First name` and
 * `Nombre` are firstName. `mapping` takes precedence. Returns an error text if the header is invalid.
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
  if (unknown.length > 0) return `has unknown columns: ${unknown.join(', ').slice(0, 200)}`
  const duplicate = known.find((name, at) => name !== null && known.indexOf(name) !== at)
  if (duplicate) return `has the column ${duplicate} twice`
  if (!known.includes('email') && !known.includes('phone')) return 'must have a column email or phone'
  const read = known.map(name => importColumns.find(one => one === name && !isForbidden(one)) ?? null)
  return { read, ignored: known.flatMap((name, at) => (read[at] === null ? [name ?? trimmed[at]!] : [])) }
}

type AnyColumn = ImportColumn | (typeof exportOnlyColumns)[number]
/** Column names of other programs. */
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

/** The fields of a line and its errors, by the rules of POST /leads. Empty values are omitted. */
export function parseLine(
  { read }: CsvColumns,
  values: readonly string[],
): { input: LeadInput; errors: LineError[] } {
  if (values.length !== read.length) {
    const message = `has ${values.length} values, but the header has ${read.length}`
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
    errors.push({ column: 'email', message: 'or phone is required' })
  return { input, errors }
}

function errorFor(column: string, value: unknown): string | undefined {
  if (String(value).includes('\0')) return 'must not contain NUL'
  const fault = validators[column]!(value)
  if (fault?.code !== 'pattern') return fault?.message
  return column === 'email' ? 'must be an e-mail address' : 'must be text on one line'
}

function parseNumber(text: string): number | string {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : text
}
