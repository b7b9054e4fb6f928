import { limits } from '#contract/limits.ts'
import { TooLarge } from '#platform/adapters/files.ts'
import { fail } from '#platform/fail.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import { type Spool, spool } from './archive/spool.ts'

/** Receives the one file of the form. Fails with VALIDATION_ERROR and PACKAGE_TOO_LARGE. */
export async function receivePackage(form: Form): Promise<Spool> {
  let received: Spool | undefined
  try {
    for await (const part of form) {
      if (part.kind === 'field' || part.name !== 'file')
        refuse(part.name, 'unknown', 'is not a field of this operation')
      if (received) refuse('file', 'unique', 'is sent twice')
      received = await spool(part.bytes, limits.packageBytes)
    }
    return received ?? refuse('file', 'required', 'is missing')
  } catch (error) {
    await received?.close()
    if (error instanceof TooLarge) fail('PACKAGE_TOO_LARGE', { limit: limits.packageBytes })
    throw error
  }
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
