import { clientImportFields } from '#contract/crm/client-imports.ts'
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

/** The columns of files with clients. */
export const clientColumnNames = columnNames({
  fields: Object.keys(clientImportFields),
  exportOnly: ['id', 'createdAt', 'updatedAt', 'archivedAt'],
  aliases: {
    name: 'nombre, cliente, empresa, razón social, nombre fiscal, compañía, company, client, customer, company name',
    taxId: 'nif, cif, nif/cif, cif/nif, dni, vat, vat number, identificación fiscal, número fiscal',
    email: 'correo, correo electrónico, mail, e-mail address',
    phone: 'teléfono, tel, móvil, telephone, mobile, phone number',
    address: 'dirección, domicilio, calle, street',
    city: 'ciudad, población, localidad, municipio, town',
    postalCode: 'código postal, cp, zip, zip code, postcode',
    country: 'país, código de país, country code',
    billingContactName: 'contacto, contacto de facturación, persona de contacto, billing contact, contact',
    billingContactEmail:
      'correo de facturación, correo de contacto, email de facturación, billing email, contact email',
    createdAt: 'fecha de creación, creado, creado el',
    updatedAt: 'fecha de actualización, actualizado, actualizado el',
  },
  oneOf: ['name'],
})

const validators = Object.fromEntries(
  Object.entries(clientImportFields).map(([name, schema]) => [name, faultIn(schema)]),
)

/** The fields of a line and its errors, by the rules of POST /clients. Empty values are omitted. */
export function parseClient(
  columns: CsvColumns,
  values: readonly string[],
): { input: LineValues; errors: LineError[] } {
  const { input, errors } = readLine(columns, values, (field, text) =>
    field === 'country' ? countryCode(text) : text,
  )
  if (errors.length > 0) return { input, errors }
  errors.push(...valueErrors(input, validators, patternMessage))
  if (input.name === undefined) errors.push({ column: 'name', message: 'is required' })
  if (input.billingContactName !== undefined && input.billingContactEmail === undefined)
    errors.push({ column: 'billingContactEmail', message: 'is required for a billing contact' })
  return { input, errors }
}

function patternMessage(column: string): string {
  if (column === 'email' || column === 'billingContactEmail') return 'must be an e-mail address'
  if (column === 'country') return 'must be a country'
  return 'must be text on one line'
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
let codesByName: ReadonlyMap<string, string> | undefined

/** The code of a country by its code or its name in Spanish or English; the text itself if it is neither. */
function countryCode(text: string): string {
  codesByName ??= new Map(['es', 'en'].flatMap(countriesIn))
  return codesByName.get(normalizedName(text)) ?? text.toUpperCase()
}

function countriesIn(language: string): [name: string, code: string][] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return letters
    .flatMap(first => letters.map(second => first + second))
    .flatMap(code => {
      const name = new Intl.Locale(`und-${code}`).region === code ? names.of(code) : undefined
      return name === undefined ? [] : [[normalizedName(name), code]]
    })
}
