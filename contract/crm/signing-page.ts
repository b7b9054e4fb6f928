import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, OneOf, Reason, Time } from '../shapes.ts'
import { Sha256 } from './signatures.ts'

/** What a signer does with their link, without an account. The secret in the address is all that they have. */
const token = { token: Type.String({ minLength: 1, maxLength: limits.publicToken }) }
const visitLimit = { bucket: 'signing-pages', times: limits.signingPagesPerHour, windowSeconds: 3_600 }
const signLimit = { bucket: 'signings', times: limits.signingsPerHour, windowSeconds: 3_600 }
const publicPage = { area: 'crm', auth: { public: true }, isHtmlPage: true, params: token } as const

export const openSigningPage = operation('GET /s/:token', {
  ...publicPage,
  summary: 'The page of a signing link',
  description:
    `Looking at it does not use it up. Whoever signed with it is shown what they signed, for ${limits.signedLinkDays} days. ` +
    'Of a budget whose last day is over it says so, and whom to ask. Whatever is wrong with a link, the answer is the same.',
  responseType: 'text/html',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: visitLimit,
})

export const openSigningDocument = operation('GET /s/:token/pdf', {
  ...publicPage,
  summary: 'The PDF that is signed with a link, or was',
  responseType: 'application/pdf',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: visitLimit,
})

export const signByLink = operation('POST /s/:token/sign', {
  ...publicPage,
  summary: 'Sign the budget of a link',
  description: 'Once. Who accepts text/html is answered with a page.',
  body: {
    name: Name(limits.signerName),
    consent: OneOf(['es', 'en'], { description: 'The language of the text that was agreed to' }),
    documentHash: Type.Unsafe<string>({
      ...Sha256,
      description: 'SHA-256 of what was shown: of the PDF or, without one, the fingerprint on the page',
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
  ...publicPage,
  summary: 'Decline the budget of a link',
  description: 'Once. Whoever looks after it is told by mail. Who accepts text/html is answered with a page.',
  body: { reason: Reason(limits.declineReason) },
  reply: Type.Object({ declinedAt: Time }),
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: signLimit,
})
