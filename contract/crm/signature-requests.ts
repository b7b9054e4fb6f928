import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'

const requestParams = { id: Id, requestId: Id }
const mailLimit = { bucket: 'signing-mails', times: limits.signingMailsPerHour, windowSeconds: 3_600 }
const announces = { event: 'budget.changed', id: 'id' } as const

export const signatureRequestStatuses = ['OPEN', 'COMPLETED', 'DECLINED', 'STOPPED'] as const
export const stopReasons = [
  'PERSON',
  'LINK_REVOKED',
  'LINK_EXPIRED',
  'CLIENT_CHANGED',
  'BUDGET_CANCELLED',
  'SIGNER_ERASED',
] as const
export type StopReason = (typeof stopReasons)[number]
export const requestSignerStatuses = [
  'WAITING',
  'INVITED',
  'VIEWED',
  'SIGNED',
  'DECLINED',
  'EXPIRED',
  'STOPPED',
] as const

/** One of the signers of a request. */
export const RequestSigner = Type.Object({
  id: Id,
  position: Type.Integer({ description: 'The place among the signers, from 1' }),
  order: Type.Integer({ description: 'It is their turn when everybody with a lower number has signed' }),
  name: Type.String({
    description: 'Empty, like the e-mail, if the person was erased without having signed',
  }),
  email: Type.String(),
  status: OneOf(requestSignerStatuses, {
    description:
      'WAITING for the turn, INVITED with a link, VIEWED its page, SIGNED, DECLINED, EXPIRED without a signature, or STOPPED: the ' +
      'request ended first',
  }),
  linkId: Nullable(Id),
  signatureId: Nullable(Id),
  mailedAt: Nullable(Time),
  viewedAt: Nullable(Time),
  expiresAt: Nullable(Time),
  signedAt: Nullable(Time),
  declinedAt: Nullable(Time),
})
export type RequestSigner = Static<typeof RequestSigner>
/** A budget that several people sign. */
export const SignatureRequest = Type.Object({
  id: Id,
  budgetId: Id,
  status: OneOf(signatureRequestStatuses),
  stopReason: Nullable(OneOf(stopReasons)),
  documentHash: Type.String({ description: 'SHA-256 of the PDF that every signer signs' }),
  createdBy: Id,
  createdAt: Time,
  endedAt: Nullable(Time),
  signers: Type.Array(RequestSigner),
})
export type SignatureRequest = Static<typeof SignatureRequest>

const NewSigner = Type.Object(
  {
    name: Name(limits.signerName),
    email: Email,
    order: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.signersPerRequest, default: 1, description: 'See above' }),
    ),
  },
  { additionalProperties: false },
)

/** LNKS-21 to LNKS-25. */
export const requestSignatures = operation('POST /budgets/:id/signature-requests', {
  announces,
  ...editAccess,
  summary: 'Request the signatures of several people',
  description:
    'Creates the PDF that every signer signs, and mails a link to the signers with the lowest `order`. When all of them have ' +
    'signed, the next ones receive theirs; equal numbers sign at the same time. The budget becomes SIGNED with the last ' +
    'signature. Open links of the budget are revoked. A draft becomes SENT.',
  params: { id: Id },
  body: {
    signers: Type.Array(NewSigner, { minItems: 2, maxItems: limits.signersPerRequest }),
    expiresInDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.signingLinkDays, default: limits.signingLinkDaysDefault }),
    ),
  },
  reply: SignatureRequest,
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
  limit: mailLimit,
})

export const listSignatureRequests = operation('GET /budgets/:id/signature-requests', {
  ...viewAccess,
  summary: 'List the signature requests of a budget, newest first',
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(SignatureRequest) }),
  errors: ['BUDGET_NOT_FOUND'],
})

/** LNKS-28. */
export const replaceSigner = operation(
  'POST /budgets/:id/signature-requests/:requestId/signers/:signerId/replace',
  {
    announces,
    ...editAccess,
    summary: 'Replace a signer who has not signed',
    description:
      'The place stays. If it is their turn, the link of the previous signer is revoked and the new one receives a link by mail.',
    params: { ...requestParams, signerId: Id },
    body: { name: Name(limits.signerName), email: Email },
    reply: SignatureRequest,
    errors: [
      'BUDGET_NOT_FOUND',
      'BUDGET_EXPIRED',
      'SIGNATURE_REQUEST_NOT_FOUND',
      'SIGNATURE_REQUEST_ENDED',
      'SIGNER_NOT_FOUND',
      'SIGNER_HAS_SIGNED',
      'TOO_MANY_SIGNING_LINKS',
    ],
    limit: mailLimit,
  },
)

/** LNKS-27. */
export const stopSignatureRequest = operation('POST /budgets/:id/signature-requests/:requestId/stop', {
  announces,
  ...editAccess,
  summary: 'Stop a signature request',
  description:
    'Revokes its open links. Signatures that were made stay recorded, and the budget stays SENT. A stopped request is returned ' +
    'unchanged.',
  params: requestParams,
  reply: SignatureRequest,
  errors: ['BUDGET_NOT_FOUND', 'SIGNATURE_REQUEST_NOT_FOUND', 'SIGNATURE_REQUEST_ENDED'],
})
