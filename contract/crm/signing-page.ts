import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, OneOf, Reason, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { Sha256 } from './signatures.ts'

/** Signers have no account: the token in the URL is their only credential. */
const token = { token: Type.String({ minLength: 1, maxLength: limits.publicToken }) }
const visitLimit = { bucket: 'signing-pages', times: limits.signingPagesPerHour, windowSeconds: 3_600 }
const signLimit = { bucket: 'signings', times: limits.signingsPerHour, windowSeconds: 3_600 }
const publicPage = { area: 'crm', auth: { public: true }, isHtmlPage: true, params: token } as const

export const openSigningPage = operation('GET /s/:token', {
  ...publicPage,
  summary: 'Show the page of a signing link',
  description:
    `Opening the page does not use the link. After signing it shows the signed document for ${limits.signedLinkDays} days. ` +
    'If the budget has expired, the page names the issuer to contact. All invalid links give the same reply.',
  responseType: 'text/html',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: visitLimit,
})

export const openSigningDocument = operation('GET /s/:token/pdf', {
  ...publicPage,
  summary: 'Download the PDF of a signing link',
  responseType: 'application/pdf',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: visitLimit,
})

export const openSealedSigningDocument = operation('GET /s/:token/sealed', {
  ...publicPage,
  summary: 'Download the sealed PDF of a signing link that was used',
  responseType: 'application/pdf',
  errors: ['SIGNING_LINK_NOT_VALID', 'SEAL_NOT_FOUND'],
  limit: visitLimit,
})

export const signByLink = operation('POST /s/:token/sign', {
  announces: { event: 'budget.changed' },
  ...publicPage,
  summary: 'Sign the budget of a link',
  description: 'Works once. Requests that accept text/html receive a page.',
  body: {
    name: Name(limits.signerName),
    consent: OneOf(['es', 'en'], {
      description: 'The language of the consent text that the signer accepted',
    }),
    documentHash: Type.Unsafe<string>({
      ...Sha256,
      description: 'SHA-256 of the PDF that was shown or, without a PDF, the fingerprint on the page',
    }),
  },
  reply: Type.Object({
    signatureId: Id,
    signedAt: Time,
    documentHash: Type.String(),
    hashVersion: Type.Integer(),
  }),
  errors: ['SIGNING_LINK_NOT_VALID', 'BUDGET_EXPIRED', 'SIGNED_DOCUMENT_DIFFERS'],
  limit: signLimit,
})

export const declineByLink = operation('POST /s/:token/decline', {
  announces: { event: 'budget.changed' },
  ...publicPage,
  summary: 'Decline the budget of a link',
  description:
    'Works once. The owner of the budget is notified by mail. Requests that accept text/html receive a page.',
  body: { reason: Reason(limits.declineReason) },
  reply: Type.Object({ declinedAt: Time }),
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: signLimit,
})
