import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { SignaturePlace } from './signatures.ts'
import { SignatureTimeStamp } from './time-stamps.ts'

/** A public page where anybody who holds a signed PDF can check who signed it. */
const publicPage = {
  area: 'crm',
  auth: { public: true },
  isHtmlPage: true,
  limit: { bucket: 'verify-page', times: limits.verificationsPerHour, windowSeconds: 3_600 },
} as const

/** The part of a signature that is shown to anybody who holds the signed file. */
export const KnownSignature = Type.Object({
  signatureId: Id,
  organizationName: Type.String(),
  budgetCode: Type.String(),
  signerName: Type.String(),
  signedAt: Time,
  place: Type.Optional(SignaturePlace),
  timeStamp: Nullable(SignatureTimeStamp),
})
export type KnownSignature = Static<typeof KnownSignature>

export const openVerifyPage = operation('GET /verify', {
  ...publicPage,
  summary: 'Show the page that checks a signed PDF',
  responseType: 'text/html',
})

export const verifyPdf = operation('POST /verify', {
  ...publicPage,
  summary: 'Find the signatures of a PDF',
  description:
    'Compares the bytes of the file, which is not stored: a file with one different byte has no signatures. Only documents that ' +
    `were signed with a link (hashVersion 3), and sealed documents, are files. The limit is ${limits.verifiedPdfBytes} bytes.`,
  requestType: 'multipart/form-data',
  formFields: { file: Type.Unsafe<never>({ type: 'string', format: 'binary' }) },
  reply: Type.Object({
    documentHash: Type.String({ description: 'SHA-256 of the file in hexadecimal digits' }),
    signatures: Type.Array(KnownSignature),
  }),
})
