import { limits } from '#contract/limits.ts'
import { type Incoming, TooLarge } from '#platform/adapters/files.ts'
import { detectContentType } from '#platform/content-type.ts'
import { fail } from '#platform/fail.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import type { UploadServices } from '#platform/services.ts'
import { filenameOf, findPathConflict, normalizePath } from './file.rules.ts'

/** A received file and its path in the package. */
export type ReceivedFile = { path: string; contentType: string; incoming: Incoming }

/**
 * Receives the files of an upload one after the other and adds them to `received`, so that the caller can discard them
 * after a failure too. Fails with VALIDATION_ERROR, FILE_TOO_LARGE and TOO_MANY_FILES.
 */
export async function receiveFiles(
  form: Form,
  { files, maxFileBytes }: UploadServices,
  received: ReceivedFile[],
): Promise<void> {
  let pathField: string | undefined
  let remainingBytes: number = limits.versionBytes
  for await (const part of form) {
    if (part.kind === 'field') {
      if (part.name !== 'path' || pathField !== undefined)
        refuse(part.name, 'unknown', 'is not expected here')
      pathField = part.value
      continue
    }
    if (part.name !== 'file') refuse(part.name, 'unknown', 'is not a field of this operation')
    if (received.length === limits.filesPerUpload) fail('TOO_MANY_FILES', { limit: limits.filesPerUpload })
    const path =
      normalizePath(pathField ?? part.filename) ??
      refuse('path', 'path', 'is not a valid path inside a package')
    if (
      findPathConflict(
        received.map(file => file.path),
        [path],
      )
    )
      refuse('path', 'unique', 'is the path of another file in this upload')
    pathField = undefined
    const maxBytes = Math.min(maxFileBytes, remainingBytes)
    const incoming = await files.receive(part.bytes, maxBytes, true).catch(error => {
      if (error instanceof TooLarge) fail('FILE_TOO_LARGE', { limit: maxBytes })
      throw error
    })
    remainingBytes -= incoming.size
    const file: ReceivedFile = { path, incoming, contentType: '' }
    received.push(file)
    file.contentType = await detectContentType(incoming.head, incoming.size, filenameOf(path))
  }
  if (pathField !== undefined) refuse('path', 'file', 'has no file after it')
  if (received.length === 0) refuse('file', 'required', 'is missing')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
