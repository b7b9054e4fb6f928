import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { openVerifyPage, verifyPdf } from '#contract/crm/verify-page.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { languageOf, wantsHtml } from '#platform/http/html-page.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import { type ServedOperation, stream, workflow } from '#platform/http/operation.ts'
import { checkedTimeStamp } from '../time-stamps/check-time-stamp.ts'
import { resultPage, uploadPage } from './verify-file.html.ts'
import { signaturesOfFile } from './verify-file.sql.ts'

const openPage = stream(openVerifyPage, async ({ headers, reply }) =>
  uploadPage(languageOf(headers)).send(reply),
)

/** Returns only what the certificate contains, and only to holders of the exact bytes that were signed. */
const verify = workflow(verifyPdf, async ({ form, headers, services }) => {
  const documentHash = await hashUploadedFile(form)
  const found = await signaturesOfFile(services.database, documentHash)
  const signatures = await Promise.all(
    found.map(async ({ organizationId, number, ...signature }) => ({
      ...signature,
      timeStamp: await checkedTimeStamp(services.database.of(organizationId), { number }),
    })),
  )
  const result = { documentHash, signatures }
  return wantsHtml(headers) ? resultPage(languageOf(headers), result) : result
})

/** The public page that checks a signed file. */
export const verifyPageOperations: ServedOperation[] = [openPage, verify]

/** The SHA-256 of the uploaded file. Refuses VALIDATION_ERROR and BODY_TOO_LARGE. */
async function hashUploadedFile(form: Form): Promise<string> {
  let fingerprint: string | undefined
  for await (const part of form) {
    if (part.kind === 'field' || part.name !== 'file')
      refuse(part.name, 'unknown', 'is not a field of this operation')
    if (fingerprint !== undefined) refuse('file', 'unique', 'occurs twice')
    fingerprint = await hashStream(part.bytes)
  }
  return fingerprint ?? refuse('file', 'required', 'is missing')
}

async function hashStream(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limits.verifiedPdfBytes) fail('BODY_TOO_LARGE')
    hash.update(piece)
  }
  if (size === 0) refuse('file', 'minLength', 'is empty')
  return hash.digest('hex')
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
