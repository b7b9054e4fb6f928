import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'

const manageAccess = { ...editAccess, auth: { session: { permission: 'ORG_MANAGE' } } } as const
const path = '/seal-certificate'

/** The certificate with which an organization seals signed budgets (SEAL-1, SEAL-2). Its key is never shown. */
export const SealCertificate = Type.Object({
  certificate: Nullable(
    Type.Object({
      subject: Type.String({ description: '`CN=…, O=…`' }),
      issuer: Type.String(),
      serialNumber: Type.String({ description: 'In hexadecimal digits' }),
      validFrom: Time,
      validUntil: Time,
      isValid: Type.Boolean({ description: 'It is valid now' }),
      uploadedAt: Time,
    }),
  ),
  waiting: Type.Integer({
    description: `Signed budgets that wait for their seal, up to ${limits.waitingSealsCounted}`,
  }),
})
export type SealCertificate = Static<typeof SealCertificate>

export const readSealCertificate = operation(`GET ${path}`, {
  ...viewAccess,
  summary: 'Retrieve the certificate that seals signed budgets',
  reply: SealCertificate,
})

export const uploadSealCertificate = operation(`PUT ${path}`, {
  ...manageAccess,
  summary: 'Set the certificate that seals signed budgets (multipart/form-data)',
  description:
    '`file` is a PKCS#12 file (`.p12`, `.pfx`) with an RSA or EC key, and `passphrase` opens it. Budgets that wait for a valid ' +
    `certificate are sealed with it. The limit is ${limits.sealCertificateBytes} bytes.`,
  requestType: 'multipart/form-data',
  formFields: {
    file: Type.Unsafe<never>({ type: 'string', format: 'binary' }),
    passphrase: Type.String({ maxLength: limits.sealPassphrase }),
  },
  reply: SealCertificate,
  errors: ['BODY_TOO_LARGE'],
})

export const removeSealCertificate = operation(`DELETE ${path}`, {
  ...manageAccess,
  summary: 'Remove the certificate that seals signed budgets',
  description:
    'Sealed documents stay. Budgets that wait for their seal keep waiting, for another certificate.',
  reply: SealCertificate,
})

/** The seal of a signed budget (SEAL-3 to SEAL-6). */
export const BudgetSeal = Type.Object({
  seal: Nullable(
    Type.Object(
      {
        status: OneOf(['WAITING', 'SEALED']),
        sealedAt: Nullable(Time),
        subject: Nullable(Type.String({ description: 'Of the certificate' })),
        hasTimeStamp: Nullable(Type.Boolean({ description: 'The seal contains a time stamp (PAdES B-T)' })),
        problem: Nullable(
          OneOf(
            ['NO_CERTIFICATE', 'CERTIFICATE_NOT_VALID', 'DOCUMENT_NOT_READ', 'TIME_STAMP_FAILED', 'FAILED'],
            { description: 'Why the last attempt failed; null after a success' },
          ),
        ),
      },
      { description: 'null if the budget is not signed, or the organization had no certificate then' },
    ),
  ),
})
export type BudgetSeal = Static<typeof BudgetSeal>

export const readBudgetSeal = operation('GET /budgets/:id/seal', {
  ...viewAccess,
  summary: 'Retrieve the seal of a signed budget',
  params: { id: Id },
  reply: BudgetSeal,
  errors: ['BUDGET_NOT_FOUND'],
})

export const openSealedBudget = operation('GET /budgets/:id/sealed-pdf', {
  ...viewAccess,
  summary: 'Download the sealed PDF of a signed budget',
  params: { id: Id },
  responseType: 'application/pdf',
  errors: ['BUDGET_NOT_FOUND', 'SEAL_NOT_FOUND'],
})
