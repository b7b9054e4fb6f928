import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, OneOf, Reason, Time } from '../shapes.ts'
import { Sha256 } from './signatures.ts'

/**
 * What the contacts of a client do, without being members of the organization. A mail gives them a session of the portal:
 * browsers keep it in a cookie, programs send it (`Authorization: Bearer`). Who accepts text/html is answered with a page.
 */
const portalPage = { area: 'crm', auth: { public: true }, isHtmlPage: true } as const
const hourlyLimit = (bucket: string, times: number) => ({ bucket, times, windowSeconds: 3_600 })
/** How often one address may look into the portal. */
export const portalVisitLimit = hourlyLimit('portal', limits.portalRequestsPerHour)
/** How often one address may sign or decline. */
const signLimit = hourlyLimit('portal-sign', limits.signingsPerHour)
const token = Type.String({ minLength: 1, maxLength: limits.publicToken })
const budgetParams = { id: Id }
const budgetErrors = ['UNAUTHENTICATED', 'BUDGET_NOT_FOUND'] as const

/** A budget as its client sees it in the portal. */
export const PortalBudget = Type.Object({
  id: Id,
  code: Type.String(),
  title: Type.String(),
  status: OneOf(['SENT', 'SIGNED', 'DECLINED']),
  issueDate: Type.String(),
  validUntil: Nullable(Type.String()),
  isExpired: Type.Boolean({ description: 'It was sent, and its last day is over: it cannot be signed' }),
  currency: Type.String(),
  totalCents: Type.Integer(),
  signedAt: Nullable(Time),
  declinedAt: Nullable(Time),
})
export type PortalBudget = Static<typeof PortalBudget>

export const openPortalSignInPage = operation('GET /portal/sign-in/:organizationId', {
  ...portalPage,
  summary: 'The page where a customer asks for a mail that opens the portal',
  params: { organizationId: Id },
  responseType: 'text/html',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: portalVisitLimit,
})

export const requestPortalLink = operation('POST /portal/sign-in', {
  ...portalPage,
  summary: 'Ask for a mail that opens the customer portal',
  description: `The answer is always the same. The link works once, for ${limits.portalLinkMinutes} minutes.`,
  body: { organizationId: Id, email: Email },
  reply: Type.Object({}),
  status: 202,
  limit: hourlyLimit('portal-sign-in', limits.portalSignInsPerHour),
})

export const openPortalLink = operation('GET /portal/enter/:token', {
  ...portalPage,
  summary: 'The page of such a mail',
  description: 'Looking at it does not use the secret up: programs that check mails do it too.',
  params: { token },
  responseType: 'text/html',
  errors: ['SIGNING_LINK_NOT_VALID'],
  limit: portalVisitLimit,
})

export const openPortalSession = operation('POST /portal/session', {
  ...portalPage,
  summary: 'Open a session of the portal with the secret of such a mail',
  description:
    `For ${limits.portalSessionHours} hours, or until they sign out, are shown out or archived, or get another e-mail or ` +
    'client. A browser gets it as a cookie and goes on to the budgets.',
  body: { token },
  reply: Type.Object({ token: Type.String(), expiresAt: Time }),
  status: 201,
  errors: ['UNAUTHENTICATED'],
  limit: hourlyLimit('portal-session', limits.portalSignInsPerHour),
})

export const leavePortal = operation('POST /portal/sign-out', {
  ...portalPage,
  summary: 'End the session of the portal',
  description: 'Who has none is answered the same.',
  reply: Type.Object({}),
  limit: portalVisitLimit,
})

export const listPortalBudgets = operation('GET /portal/budgets', {
  ...portalPage,
  summary: 'The budgets that were sent to the client, newest first',
  description: `At most ${limits.portalBudgets}.`,
  reply: Type.Object({ items: Type.Array(PortalBudget) }),
  errors: ['UNAUTHENTICATED'],
  limit: portalVisitLimit,
})

export const readPortalBudget = operation('GET /portal/budgets/:id', {
  ...portalPage,
  summary: 'A budget that was sent to the client, with all that is signed',
  params: budgetParams,
  reply: Type.Object({
    ...PortalBudget.properties,
    content: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What the fingerprint is computed over',
    }),
    documentHash: Type.String({ description: 'The fingerprint of it, hashVersion 2' }),
  }),
  errors: budgetErrors,
  limit: portalVisitLimit,
})

export const openPortalDocument = operation('GET /portal/budgets/:id/pdf', {
  ...portalPage,
  summary: 'A budget of the portal as PDF',
  description: 'One that was signed by a link is the very file that was signed.',
  params: budgetParams,
  responseType: 'application/pdf',
  errors: budgetErrors,
  limit: portalVisitLimit,
})

export const signInPortal = operation('POST /portal/budgets/:id/sign', {
  ...portalPage,
  summary: 'Sign a budget in the portal',
  params: budgetParams,
  body: {
    name: Name(limits.signerName),
    consent: OneOf(['es', 'en'], { description: 'The language of the text that was agreed to' }),
    documentHash: Sha256,
  },
  reply: Type.Object({
    signatureId: Id,
    signedAt: Time,
    documentHash: Type.String(),
    hashVersion: Type.Integer(),
  }),
  errors: [...budgetErrors, 'BUDGET_SETTLED', 'BUDGET_EXPIRED', 'SIGNED_DOCUMENT_DIFFERS'],
  limit: signLimit,
})

export const declineInPortal = operation('POST /portal/budgets/:id/decline', {
  ...portalPage,
  summary: 'Decline a budget in the portal',
  description: 'Nobody can sign it any more. Whoever looks after it is told by mail.',
  params: budgetParams,
  body: { reason: Reason(limits.declineReason) },
  reply: Type.Object({ declinedAt: Time }),
  errors: [...budgetErrors, 'BUDGET_SETTLED'],
  limit: signLimit,
})
