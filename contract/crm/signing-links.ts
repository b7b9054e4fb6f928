import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'

const budgetParams = { id: Id }
const linkParams = { id: Id, linkId: Id }
const mailLimit = { bucket: 'signing-mails', times: limits.signingMailsPerHour, windowSeconds: 3_600 }

export const signingLinkStatuses = ['OPEN', 'SIGNED', 'DECLINED', 'REVOKED', 'EXPIRED'] as const
const linkFields = {
  id: Id,
  budgetId: Id,
  signatureRequestId: Type.Optional(
    Type.String({ description: 'The request that the link belongs to, if several people sign' }),
  ),
  signerName: Type.String({
    description: 'Empty, like the e-mail, if the person was erased without having signed',
  }),
  signerEmail: Type.String(),
  status: OneOf(signingLinkStatuses),
  documentHash: Nullable(
    Type.String({ description: 'SHA-256 of the PDF to sign; null if the PDF could not be created' }),
  ),
  createdBy: Nullable(Id),
  createdAt: Time,
  expiresAt: Time,
  mailedAt: Nullable(Time),
  reminderCount: Type.Integer({ description: 'The reminders that were queued' }),
  viewedAt: Nullable(Time),
  signedAt: Nullable(Time),
  declinedAt: Nullable(Time),
  revokedAt: Nullable(Time),
}
/** A link to sign a budget. Its secret is returned once and not stored. */
export const SigningLink = Type.Object(linkFields)
export type SigningLink = Static<typeof SigningLink>

export const issueSigningLink = operation('POST /budgets/:id/signing-links', {
  announces: { event: 'budget.changed', id: 'id' },
  ...editAccess,
  summary: 'Issue a signing link for a budget',
  description:
    'Creates the PDF to sign, which never changes afterwards. If that fails, the page shows the data of the budget and the ' +
    'signature has hashVersion 2. An open link of the same signer is revoked. Only this reply contains `url`. The first link ' +
    'of a draft changes its status to SENT.',
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
    'SIGNATURE_REQUEST_OPEN',
    'TOO_MANY_SIGNING_LINKS',
  ],
})

export const listSigningLinks = operation('GET /budgets/:id/signing-links', {
  ...viewAccess,
  summary: 'List the signing links of a budget, newest first',
  params: budgetParams,
  reply: Type.Object({ items: Type.Array(SigningLink) }),
  errors: ['BUDGET_NOT_FOUND'],
})

export const revokeSigningLink = operation('POST /budgets/:id/signing-links/:linkId/revoke', {
  announces: { event: 'budget.changed', id: 'id' },
  ...editAccess,
  summary: 'Revoke a signing link',
  description:
    'A link that is already revoked is returned unchanged. Revoking a link of a signature request stops the request.',
  params: linkParams,
  reply: SigningLink,
  errors: ['BUDGET_NOT_FOUND', 'SIGNING_LINK_NOT_FOUND', 'SIGNING_LINK_CLOSED'],
})

export const sendSigningLink = operation('POST /budgets/:id/signing-links/:linkId/send', {
  announces: { event: 'budget.changed', id: 'id' },
  ...editAccess,
  summary: 'Mail a signing link to its signer',
  description:
    'The mail contains a new secret, and the previous URL stops working. A call that is repeated with the same ' +
    '`Idempotency-Key` sends nothing and returns the current state of the link.',
  params: linkParams,
  reply: Type.Object({
    ...linkFields,
    mailSent: Type.Boolean({
      description:
        'False if the mail server has not accepted the mail yet. It is retried for about a day, with growing delays, unless the ' +
        'link is sent again or closed',
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
