import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Time } from '../shapes.ts'

/** Where anybody who holds a signed PDF finds out who signed it, without an account. Ours. */
const publicPage = {
  area: 'crm',
  auth: { public: true },
  isHtmlPage: true,
  limit: { bucket: 'verify-page', times: limits.verificationsPerHour, windowSeconds: 3_600 },
} as const

/** What is told of a signature to who holds what was signed. */
export const KnownSignature = Type.Object({
  signatureId: Id,
  organizationName: Type.String(),
  budgetCode: Type.String(),
  signerName: Type.String(),
  signedAt: Time,
})
export type KnownSignature = Static<typeof KnownSignature>

export const openVerifyPage = operation('GET /verify', {
  ...publicPage,
  summary: 'The page where a signed PDF is compared with the signatures that are known',
  responseType: 'text/html',
})

export const verifyPdf = operation('POST /verify', {
  ...publicPage,
  summary: 'Find the signatures of a PDF',
  description:
    'By its bytes alone, which are not kept: a file that differs in one of them is not known. Only what was signed with a ' +
    `link (hashVersion 3) is a file. ${limits.verifiedPdfBytes} bytes at most.`,
  requestType: 'multipart/form-data',
  formFields: { file: Type.Unsafe<never>({ type: 'string', format: 'binary' }) },
  reply: Type.Object({
    documentHash: Type.String({ description: 'SHA-256 of the file in hexadecimal digits' }),
    signatures: Type.Array(KnownSignature),
  }),
})
