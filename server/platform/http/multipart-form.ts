import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import { fail, Refusal } from '../fail.ts'
import { allowSlowUpload } from './body-timeout.ts'

/** One part of a multipart/form-data body. The bytes of a file must be read before the next part arrives. */
export type Part =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; filename: string; bytes: Readable }

/** The parts of a body in the order of arrival. Throws Refusal if the body is malformed. */
export type Form = AsyncIterable<Part>

/** No valid form has more parts or longer texts. The reader of a file limits its size. */
const formLimits = {
  parts: 2_000,
  files: 1_000,
  fields: 1_000,
  fieldNameSize: 100,
  fieldSize: limits.formFieldBytes,
  headerPairs: 20,
  fileSize: Number.POSITIVE_INFINITY,
}

/** Makes a Fastify scope accept forms only: any other type of body is refused with 415. */
export async function parseForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { limits: formLimits, preservePath: true, throwFileSizeLimit: false })
  scope.addHook('onRequest', (request, _reply, done) => {
    allowSlowUpload(request.raw)
    done()
  })
}

/**
 * Runs work with the parts of the body. Refuses MALFORMED_BODY if the body is cut off or not a form, also
 * while a file is being read, and BODY_TOO_LARGE if there are too many parts. Unread bytes are discarded.
 */
export async function withForm<Result>(
  request: FastifyRequest,
  work: (form: Form) => Promise<Result>,
): Promise<Result> {
  const faults = new Set<unknown>()
  try {
    return await work({ [Symbol.asyncIterator]: () => partsOf(request, faults) })
  } catch (error) {
    if (!faults.has(error)) throw error
    fail((error as { statusCode?: number }).statusCode === 413 ? 'BODY_TOO_LARGE' : 'MALFORMED_BODY')
  } finally {
    request.raw.unpipe()
    request.raw.resume()
  }
}

async function* partsOf(request: FastifyRequest, faults: Set<unknown>): AsyncGenerator<Part, void> {
  if (!request.isMultipart()) fail('UNSUPPORTED_MEDIA_TYPE')
  const parts = request.parts()
  for (;;) {
    const { done, value: part } = await parts.next().catch((error: unknown) => {
      faults.add(error)
      throw error
    })
    if (done) return
    const name = plain(part.fieldname, 'body')
    if (part.type === 'field') {
      if (part.valueTruncated) refuse(name, 'maxLength', 'is too long')
      yield { kind: 'field', name, value: plain(part.value, name) }
    } else {
      // small bodies end, and fail, before their parts are read
      if (part.file.errored) faults.add(part.file.errored)
      // a form that is cut off fails twice: as a part, and as a form
      part.file.on('error', error => faults.add(error))
      yield { kind: 'file', name, filename: plain(part.filename ?? '', name), bytes: part.file }
    }
  }
}

/** Text that can be stored: valid UTF-8 without NUL. */
function plain(value: unknown, path: string): string {
  if (typeof value !== 'string' || /[\0\ufffd]/.test(value)) {
    refuse(path, 'characters', 'must be plain text in UTF-8')
  }
  return value
}

function refuse(path: string, code: string, message: string): never {
  throw new Refusal('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
