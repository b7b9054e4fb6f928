import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Named, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { hourlyLimit } from './access.ts'
import { SignatureTimeStamp } from './time-stamps.ts'

const crm = { area: 'crm', module: 'crm' } as const
const signatureReadAccess = {
  ...crm,
  auth: { apiKey: { scope: 'crm:budgets:signatures:read' }, session: { permission: 'CRM_VIEW' } },
  limit: hourlyLimit('budget-signatures', limits.signatureReadsPerHour),
} as const
const manageAccess = { ...crm, auth: { session: { permission: 'ORG_MANAGE' } } } as const
const budgetParams = { budgetId: Id }
const signatureParams = { budgetId: Id, sigId: Id }

export const Sha256 = Named(
  Type.String({
    minLength: 64,
    maxLength: 64,
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 in hexadecimal digits',
  }),
)
const HashVersion = Type.Integer({ description: '1, 2 or 3: the data that the fingerprint covers' })

/** The place of a signature among those of several signers (SIG-21). */
export const SignaturePlace = Type.Object({
  number: Type.Integer({ description: 'From 1' }),
  of: Type.Integer({ description: 'The number of signers' }),
})
export type SignaturePlace = Static<typeof SignaturePlace>
const place = Type.Optional(
  Type.Object(SignaturePlace.properties, { description: 'Only if several people sign the budget' }),
)

const listedFields = {
  id: Id,
  signedAt: Time,
  signerName: Type.String(),
  signerEmail: Type.String(),
  ipAddressMasked: Type.String(),
  signingTokenId: Nullable(Id),
  documentHash: Type.String(),
  hashVersion: HashVersion,
  place,
}
/** A signature in a list. */
export const ListedSignature = Type.Object(listedFields)
export type ListedSignature = Static<typeof ListedSignature>
/** A signature in full (SIG-2). */
export const Signature = Type.Object({ ...listedFields, budgetId: Id, userAgent: Type.String() })
export type Signature = Static<typeof Signature>

export const verificationStatuses = ['VALID', 'MODIFIED', 'UNVERIFIABLE'] as const
export const unverifiable = ['BUDGET_SIGNED_PDF_UNAVAILABLE', 'BUDGET_SIGNED_PDF_UNREADABLE'] as const
/** The result of a verification (SIG-6, SIG-7). */
export const Verification = Type.Object({
  signatureId: Id,
  status: OneOf(verificationStatuses),
  valid: Type.Boolean({ description: 'True only for VALID; use `status` for decisions' }),
  expectedHash: Type.String({ description: 'The fingerprint stored at the time of signing' }),
  actualHash: Nullable(Type.String({ description: 'The fingerprint computed now; null with UNVERIFIABLE' })),
  hashVersion: HashVersion,
  reason: Nullable(
    Type.Object({ errorCode: OneOf(unverifiable), message: Type.String({ description: 'In Spanish' }) }),
  ),
  signedAt: Time,
  signerName: Type.String(),
  signerEmail: Type.String(),
  ipAddressMasked: Type.String(),
  userAgent: Type.String(),
  signingTokenId: Nullable(Id),
  place,
  timeStamp: Nullable(SignatureTimeStamp),
})
export type Verification = Static<typeof Verification>

/** The signatures of a budget. */
export const SignatureList = Type.Object({ items: Type.Array(ListedSignature) })

/** SIG-2. */
export const listSignatures = operation('GET /budgets/:budgetId/signatures', {
  ...signatureReadAccess,
  summary: 'List the signatures of a budget, newest first',
  params: budgetParams,
  reply: SignatureList,
  errors: ['BUDGET_NOT_FOUND'],
})

/** SIG-2, SIG-3. */
export const readSignature = operation('GET /budgets/:budgetId/signatures/:sigId', {
  ...signatureReadAccess,
  summary: 'Retrieve a signature',
  description: '`signingTokenId` is null if the budget was signed in the portal or the link was deleted.',
  params: signatureParams,
  reply: Signature,
  errors: ['BUDGET_NOT_FOUND', 'SIGNATURE_NOT_FOUND'],
})

/** SIG-6 to SIG-8. */
export const verifySignature = operation('GET /budgets/:budgetId/signatures/:sigId/verify', {
  ...crm,
  auth: { apiKey: { scope: 'crm:budgets:signatures:verify' }, session: { permission: 'CRM_VIEW' } },
  limit: hourlyLimit('signature-verifications', limits.signatureVerificationsPerHour),
  summary: 'Verify a signature',
  description:
    'Computes the fingerprint again and compares it with the stored one: with hashVersion 1 and 2 from the current budget, with ' +
    '3 from the bytes of the signed PDF. UNVERIFIABLE does not mean that anything changed.',
  params: signatureParams,
  reply: Verification,
  errors: ['BUDGET_NOT_FOUND', 'SIGNATURE_NOT_FOUND'],
})

/** Not part of the external API: the evidence of a signature as a document. */
export const openCertificate = operation('GET /budgets/:budgetId/signatures/:sigId/certificate', {
  ...crm,
  auth: { session: { permission: 'CRM_VIEW' } },
  summary: 'Download the certificate of a signature as PDF',
  description: 'The certificate is a separate file; the signed document never changes.',
  params: signatureParams,
  responseType: 'application/pdf',
  errors: ['BUDGET_NOT_FOUND', 'SIGNATURE_NOT_FOUND'],
})

/** Not part of the external API: signatures from an earlier system, with their stored fingerprint. */
export const importSignature = operation('POST /budgets/:budgetId/signatures/import', {
  announces: { event: 'budget.changed', id: 'budgetId' },
  ...manageAccess,
  summary: 'Import a signature of hashVersion 1 from an earlier system',
  description: 'The budget becomes SIGNED.',
  params: budgetParams,
  body: {
    signedAt: Time,
    signerName: Name(limits.signerName),
    signerEmail: Email,
    ipAddress: Type.String({ minLength: 2, maxLength: 45, description: 'IPv4 or IPv6' }),
    userAgent: Text(limits.userAgent),
    documentHash: Sha256,
  },
  reply: Signature,
  status: 201,
  errors: ['BUDGET_NOT_FOUND', 'BUDGET_SETTLED', 'SIGNATURE_REQUEST_OPEN', 'TOO_MANY_SIGNATURES'],
})

/** Not part of the external API: each signature of an organization contains the evidence hash of the previous one. */
export const checkSignatureChain = operation('GET /signatures/chain', {
  ...manageAccess,
  summary: 'Check the chain of signatures',
  description: 'A row that was edited, added or deleted breaks the chain at its position.',
  reply: Type.Object({
    holds: Type.Boolean(),
    count: Type.Integer({ description: 'The number of recorded signatures' }),
    brokenAt: Nullable(
      Type.Object({
        number: Type.Integer({ description: 'The position in the chain, from 1' }),
        signatureId: Nullable(Id),
      }),
    ),
  }),
})
