import { leadFields } from '#contract/crm/shapes.ts'
import { faultIn } from '#platform/http/input.ts'
import {
  type CsvColumns,
  columnNames,
  type LineError,
  type LineValues,
  normalizedName,
  readLine,
  valueErrors,
} from '../../imports/csv-columns.ts'

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
type ImportColumn = (typeof importColumns)[number]
/** Additional columns of an export, which an import ignores. */
export const exportOnlyColumns = ['id', 'status', 'assigneeId', 'createdAt', 'updatedAt'] as const

/** Column names of other programs. */
const aliases: Partial<Record<ImportColumn | (typeof exportOnlyColumns)[number], string>> = {
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

/** The columns of files with leads. */
export const leadColumnNames = columnNames({
  fields: importColumns,
  exportOnly: exportOnlyColumns,
  aliases,
  oneOf: ['email', 'phone'],
})

const temperatures = new Map([
  ['caliente', 'HOT'],
  ['templado', 'WARM'],
  ['tibio', 'WARM'],
  ['frio', 'COLD'],
])

function convertValue(name: string, text: string): string | number {
  if (name === 'score') return parseNumber(text)
  return name === 'temperature' ? (temperatures.get(normalizedName(text)) ?? text) : text
}

const validators = Object.fromEntries(importColumns.map(name => [name, faultIn(leadFields[name])]))

/** The fields of a line and its errors, by the rules of POST /leads. Empty values are omitted. */
export function parseLead(
  columns: CsvColumns,
  values: readonly string[],
): { input: LineValues; errors: LineError[] } {
  const { input, errors } = readLine(columns, values, convertValue)
  if (errors.length > 0) return { input, errors }
  errors.push(...valueErrors(input, validators, patternMessage))
  if (errors.length === 0 && !input.email && !input.phone)
    errors.push({ column: 'email', message: 'or phone is required' })
  return { input, errors }
}

function patternMessage(column: string): string {
  return column === 'email' ? 'must be an e-mail address' : 'must be text on one line'
}

function parseNumber(text: string): number | string {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : text
}
