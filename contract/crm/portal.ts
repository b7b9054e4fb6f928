import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, OneOf, Reason, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { Sha256 } from './signatures.ts'

/**
 * Contacts of a client use the portal without being members of the organization. The link in a mail opens a session:
 * browsers store it in a cookie, programs send it (`Authorization: Bearer`). Requests that accept text/html receive a page.
 */
const portalPage = { area: 'crm', auth: { public: true }, isHtmlPage: true } as const
const hourlyLimit = (bucket: string, times: number) => ({ bucket, times, windowSeconds: 3_600 })
/** Requests per IP address and hour. */
export const portalVisitLimit = hourlyLimit('portal', limits.portalRequestsPerHour)
/** Signatures and rejections per IP address and hour. */
const signLimit = hourlyLimit('portal-sign', limits.signingsPerHour)
const token = Type.String({ minLength: 1, maxLength: limits.publicToken })
const budgetParams = { id: Id }
const budgetErrors = ['UNAUTHENTICATED', 'BUDGET_NOT_FOUND'] as const

/** A budget in the portal. */
export const PortalBudget = Type.Object({
  id: Id,
  code: Type.String(),
  title: Type.String(),
  status: OneOf(['SENT', 'SIGNED', 'DECLINED']),
  issueDate: Type.String(),
  validUntil: Nullable(Type.String()),
  isExpired: Type.Boolean({ description: 'It was sent and its last day has passed, so it cannot be signed' }),
  currency: Type.String(),
  totalCents: Type.Integer(),
  signedAt: Nullable(Time),
  declinedAt: Nullable(Time),
})
export type PortalBudget = Static<typeof PortalBudget>

export const openPortalSignInPage = operation('GET /portal/sign-in/:organizationId', {
  ...portalPage,
  summary: 'Show the page where a customer requests a portal link',
  params: { organizationId: Id },
  responseType: 'text/html',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: portalVisitLimit,
})

export const requestPortalLink = operation('POST /portal/sign-in', {
  ...portalPage,
  summary: 'Request a mail with a portal link',
  description: `The reply does not reveal whether the address is known. The link works once, for ${limits.portalLinkMinutes} minutes.`,
  body: { organizationId: Id, email: Email },
  reply: Type.Object({}),
  status: 202,
  limit: hourlyLimit('portal-sign-in', limits.portalSignInsPerHour),
})

export const openPortalLink = operation('GET /portal/enter/:token', {
  ...portalPage,
  summary: 'Show the page of a portal link',
  description: 'Opening the page does not use the link, because mail scanners open links too.',
  params: { token },
  responseType: 'text/html',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: portalVisitLimit,
})

export const openPortalSession = operation('POST /portal/session', {
  announces: { event: 'contact.changed' },
  ...portalPage,
  summary: 'Exchange a portal link for a session',
  description:
    `The session lasts ${limits.portalSessionHours} hours. It ends earlier when the contact signs out, is archived, changes e-mail or ` +
    'client, or a member ends its sessions. A browser receives a cookie and a redirect to the budgets.',
  body: { token },
  reply: Type.Object({ token: Type.String(), expiresAt: Time }),
  status: 201,
  errors: ['UNAUTHENTICATED'],
  limit: hourlyLimit('portal-session', limits.portalSignInsPerHour),
})

export const leavePortal = operation('POST /portal/sign-out', {
  ...portalPage,
  summary: 'Sign out of the portal',
  description: 'Succeeds without a session too.',
  reply: Type.Object({}),
  limit: portalVisitLimit,
})

export const listPortalBudgets = operation('GET /portal/budgets', {
  ...portalPage,
  summary: 'List the budgets that were sent to the client, newest first',
  description: `Returns at most ${limits.portalBudgets}.`,
  reply: Type.Object({ items: Type.Array(PortalBudget) }),
  errors: ['UNAUTHENTICATED'],
  limit: portalVisitLimit,
})

export const readPortalBudget = operation('GET /portal/budgets/:id', {
  ...portalPage,
  summary: 'Retrieve a budget that was sent to the client, with the signed content',
  params: budgetParams,
  reply: Type.Object({
    ...PortalBudget.properties,
    content: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The data that the fingerprint covers',
    }),
    documentHash: Type.String({ description: 'The fingerprint of the content, hashVersion 2' }),
  }),
  errors: budgetErrors,
  limit: portalVisitLimit,
})

export const openPortalDocument = operation('GET /portal/budgets/:id/pdf', {
  ...portalPage,
  summary: 'Download a budget as PDF in the portal',
  description: 'If the budget was signed with a link, this is the exact file that was signed.',
  params: budgetParams,
  responseType: 'application/pdf',
  errors: budgetErrors,
  limit: portalVisitLimit,
})

export const openSealedPortalDocument = operation('GET /portal/budgets/:id/sealed-pdf', {
  ...portalPage,
  summary: 'Download the sealed PDF of a signed budget in the portal',
  params: budgetParams,
  responseType: 'application/pdf',
  errors: [...budgetErrors, 'SEAL_NOT_FOUND'],
  limit: portalVisitLimit,
})

export const signInPortal = operation('POST /portal/budgets/:id/sign', {
  announces: { event: 'budget.changed', id: 'id' },
  ...portalPage,
  summary: 'Sign a budget in the portal',
  params: budgetParams,
  body: {
    name: Name(limits.signerName),
    consent: OneOf(['es', 'en'], {
      description: 'The language of the consent text that the signer accepted',
    }),
    documentHash: Sha256,
  },
  reply: Type.Object({
    signatureId: Id,
    signedAt: Time,
    documentHash: Type.String(),
    hashVersion: Type.Integer(),
  }),
  errors: [
    ...budgetErrors,
    'BUDGET_SETTLED',
    'BUDGET_EXPIRED',
    'SIGNATURE_REQUEST_OPEN',
    'SIGNED_DOCUMENT_DIFFERS',
  ],
  limit: signLimit,
})

export const declineInPortal = operation('POST /portal/budgets/:id/decline', {
  announces: { event: 'budget.changed', id: 'id' },
  ...portalPage,
  summary: 'Decline a budget in the portal',
  description: 'Nobody can sign the budget afterwards. Its owner is notified by mail.',
  params: budgetParams,
  body: { reason: Reason(limits.declineReason) },
  reply: Type.Object({ declinedAt: Time }),
  errors: [...budgetErrors, 'BUDGET_SETTLED'],
  limit: signLimit,
})
