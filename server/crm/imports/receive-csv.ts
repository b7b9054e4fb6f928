import { limits } from '#contract/limits.ts'
import { type Files, type Incoming, TooLarge } from '#platform/adapters/files.ts'
import { fail } from '#platform/fail.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import type { ColumnMapping } from './csv-columns.ts'

type UploadedCsv = { file: Incoming; fileName: string; isDryRun: boolean; mapping: ColumnMapping }

/**
 * Receives the form; `fields` are those that a mapping may name. Refuses VALIDATION_ERROR and BODY_TOO_LARGE. The caller must
 * discard the file.
 */
export async function receiveCsv(form: Form, files: Files, fields: readonly string[]): Promise<UploadedCsv> {
  let file: Incoming | undefined
  let [fileName, isDryRun] = ['', false]
  let mapping: ColumnMapping = new Map()
  try {
    for await (const part of form) {
      if (part.kind === 'field' && part.name === 'dryRun') isDryRun = isTrue(part.value)
      else if (part.kind === 'field' && part.name === 'mapping') mapping = parseMapping(part.value, fields)
      else if (part.kind === 'field' || part.name !== 'file')
        refuse(part.name, 'unknown', 'is not a field of this operation')
      else if (file) refuse('file', 'unique', 'occurs twice')
      else {
        fileName = [...part.filename].slice(0, limits.csvImportFileName).join('')
        file = await files.receive(part.bytes, limits.csvImportBytes)
      }
    }
    return { file: file ?? refuse('file', 'required', 'is missing'), fileName, isDryRun, mapping }
  } catch (error) {
    await file?.discard()
    if (error instanceof TooLarge) fail('BODY_TOO_LARGE')
    throw error
  }
}

function isTrue(value: string): boolean {
  if (value !== 'true' && value !== 'false') refuse('dryRun', 'type', 'must be true or false')
  return value === 'true'
}

/** `{ "Móvil": "phone", "Fijo": null }` */
function parseMapping(value: string, fields: readonly string[]): ColumnMapping {
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    refuse('mapping', 'json', 'must be JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    refuse('mapping', 'type', 'must be an object from column names to fields or null')
  const entries = Object.entries(parsed)
  const isField = (field: unknown) => field === null || fields.some(one => one === field)
  if (!entries.every(([, field]) => isField(field)))
    refuse('mapping', 'enum', `must map to null or one of these fields: ${fields.join(', ')}`)
  return new Map(entries.map(([name, field]) => [name.trim(), field as string | null]))
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
