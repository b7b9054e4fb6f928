import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, OneOf, Time } from '../shapes.ts'
import { editAccess, viewAccess } from './access.ts'

const budgetParams = { id: Id }
const linkParams = { id: Id, linkId: Id }
const mailLimit = { bucket: 'signing-mails', times: limits.signingMailsPerHour, windowSeconds: 3_600 }

export const signingLinkStatuses = ['OPEN', 'SIGNED', 'DECLINED', 'REVOKED', 'EXPIRED'] as const
const linkFields = {
  id: Id,
  budgetId: Id,
  signerName: Type.String({ description: 'Empty, as the e-mail, when who never signed was erased' }),
  signerEmail: Type.String(),
  status: OneOf(signingLinkStatuses),
  documentHash: Nullable(
    Type.String({ description: 'SHA-256 of the PDF that is signed; null when it could not be prepared' }),
  ),
  createdBy: Nullable(Id),
  createdAt: Time,
  expiresAt: Time,
  mailedAt: Nullable(Time),
  viewedAt: Nullable(Time),
  signedAt: Nullable(Time),
  declinedAt: Nullable(Time),
  revokedAt: Nullable(Time),
}
/** A link to sign a budget. Its secret is told once, and not kept. */
export const SigningLink = Type.Object(linkFields)
export type SigningLink = Static<typeof SigningLink>

export const issueSigningLink = operation('POST /budgets/:id/signing-links', {
  ...editAccess,
  summary: 'Issue a link with which somebody signs the budget',
  description:
    'What is signed is a PDF that is made now and never changes; should that fail, the page shows the data of the budget ' +
    'and the signature is of hashVersion 2. An open link of the same signer is revoked. `url` is told here alone. A draft ' +
    'is sent with its first link.',
  params: budgetParams,
  body: {
    signerName: Name(limits.signerName),
    signerEmail: Email,
    expiresInDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.signingLinkDays, default: limits.signingLinkDaysDefault }),
    ),
  },
  reply: Type.Object({ ...linkFields, url: Type.String() }),
  status: 201,
  errors: [
    'BUDGET_NOT_FOUND',
    'BUDGET_SETTLED',
    'BUDGET_EXPIRED',
    'BUDGET_EMPTY',
    'BUDGET_UPDATE_CONFLICT',
    'TOO_MANY_SIGNING_LINKS',
  ],
})

export const listSigningLinks = operation('GET /budgets/:id/signing-links', {
  ...viewAccess,
  summary: 'The signing links of a budget, newest first',
  params: budgetParams,
  reply: Type.Object({ items: Type.Array(SigningLink) }),
  errors: ['BUDGET_NOT_FOUND'],
})

export const revokeSigningLink = operation('POST /budgets/:id/signing-links/:linkId/revoke', {
  ...editAccess,
  summary: 'Revoke a signing link',
  description: 'One that is revoked already is answered as it is.',
  params: linkParams,
  reply: SigningLink,
  errors: ['BUDGET_NOT_FOUND', 'SIGNING_LINK_NOT_FOUND', 'SIGNING_LINK_CLOSED'],
})

export const sendSigningLink = operation('POST /budgets/:id/signing-links/:linkId/send', {
  ...editAccess,
  summary: 'Mail a signing link to its signer, with a new secret',
  description:
    'The address that was told before leads nowhere then. A call that is repeated with its `Idempotency-Key` sends nothing, ' +
    'and tells how the link is now.',
  params: linkParams,
  reply: Type.Object({
    ...linkFields,
    mailSent: Type.Boolean({
      description:
        'False: the mail server has not taken it yet. It is tried again for about a day, with growing waits, unless the link ' +
        'is sent anew or closed',
    }),
  }),
  errors: [
    'BUDGET_NOT_FOUND',
    'BUDGET_SETTLED',
    'BUDGET_EXPIRED',
    'SIGNING_LINK_NOT_FOUND',
    'SIGNING_LINK_CLOSED',
  ],
  isIdempotent: true,
  limit: mailLimit,
})
