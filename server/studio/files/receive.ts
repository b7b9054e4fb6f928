import { limits } from '#contract/limits.ts'
import { type Incoming, TooLarge } from '#platform/adapters/files.ts'
import { fail } from '#platform/fail.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import type { Services } from '#platform/http/operation.ts'
import { clashIn, filenameOf, tidyPath } from './file.rules.ts'
import { kindOf } from './kind.ts'

/** A file that was received, and where it shall stand. */
export type Received = { path: string; contentType: string; incoming: Incoming }

/**
 * Receives the files of an upload, one after the other, into `received`, so that whoever called can discard them
 * whatever happens. Refuses VALIDATION_ERROR, FILE_TOO_LARGE and TOO_MANY_FILES.
 */
export async function receiveFiles(
  form: Form,
  { files, maxFileBytes }: Pick<Services, 'files' | 'maxFileBytes'>,
  received: Received[],
): Promise<void> {
  let announced: string | undefined
  let left: number = limits.versionBytes
  for await (const part of form) {
    if (part.kind === 'field') {
      if (part.name !== 'path' || announced !== undefined)
        refuse(part.name, 'unknown', 'is not expected here')
      announced = part.value
      continue
    }
    if (part.name !== 'file') refuse(part.name, 'unknown', 'is not a field of this operation')
    if (received.length === limits.filesPerUpload) fail('TOO_MANY_FILES', { limit: limits.filesPerUpload })
    const path = tidyPath(announced ?? part.filename) ?? refuse('path', 'path', 'is no path inside a package')
    if (
      clashIn(
        received.map(one => one.path),
        [path],
      )
    )
      refuse('path', 'unique', 'is that of another file here')
    announced = undefined
    const most = Math.min(maxFileBytes, left)
    const incoming = await files.receive(part.bytes, most, true).catch(error => {
      if (error instanceof TooLarge) fail('FILE_TOO_LARGE', { limit: most })
      throw error
    })
    left -= incoming.size
    received.push({ path, incoming, contentType: '' })
    received.at(-1)!.contentType = await kindOf(incoming.head, incoming.size, filenameOf(path))
  }
  if (announced !== undefined) refuse('path', 'file', 'has no file after it')
  if (received.length === 0) refuse('file', 'required', 'is missing')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
