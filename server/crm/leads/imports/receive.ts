import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Form } from '#platform/form.ts'
import { type Files, type Incoming, TooLarge } from '#platform/outside/files.ts'

type Received = { file: Incoming; fileName: string; isDryRun: boolean }

/** The one file of the form. Refuses VALIDATION_ERROR and BODY_TOO_LARGE. Whoever receives it discards it. */
export async function receiveCsv(form: Form, files: Files): Promise<Received> {
  let file: Incoming | undefined
  let [fileName, isDryRun] = ['', false]
  try {
    for await (const part of form) {
      if (part.kind === 'field' && part.name === 'dryRun') isDryRun = isTrue(part.value)
      else if (part.kind === 'field' || part.name !== 'file')
        refuse(part.name, 'unknown', 'is not a field of this operation')
      else if (file) refuse('file', 'unique', 'stands there twice')
      else {
        fileName = [...part.filename].slice(0, limits.leadImportFileName).join('')
        file = await files.receive(part.bytes, limits.leadImportBytes)
      }
    }
    return { file: file ?? refuse('file', 'required', 'is missing'), fileName, isDryRun }
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

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
