import { billingRefusals } from './billing/refusals.ts'
import { chatRefusals } from './chat/refusals.ts'
import { crmRefusals } from './crm/refusals.ts'
import { errorRefusals } from './error-reports/refusals.ts'
import { identityRefusals } from './identity/refusals.ts'
import { integrationRefusals } from './integrations/refusals.ts'
import { marketplaceRefusals } from './marketplace/refusals.ts'
import type { Refusals } from './refusal.ts'
import { studioRefusals } from './studio/refusals.ts'

/**
 * Every error code of the product: the codes of authentication, authorization and input, the codes that
 * several areas use, then the codes of each area.
 */
export const errors = {
  // authentication, authorization and input, in the order of the checks
  UNAUTHENTICATED: {
    status: 401,
    text: 'The credential is missing, wrong or expired. Sign in again, or send another key or token.',
    bare: true,
  },
  RATE_LIMIT_EXCEEDED: { status: 429, text: 'Too many requests. Try again after the time in Retry-After.' },
  ORGANIZATION_SUSPENDED: {
    status: 403,
    text: 'This organization is suspended. Ask the operator of this server.',
  },
  MODULE_NOT_ENABLED: { status: 403, text: 'The plan of this organization does not include this module.' },
  CAPABILITY_NOT_ENABLED: {
    status: 403,
    text: 'The plan of this organization does not include this capability.',
  },
  FEATURE_NOT_ENABLED: { status: 403, text: 'This organization has not enabled this feature.' },
  INSUFFICIENT_SCOPE: { status: 403, text: 'The application lacks the scope for this operation.' },
  PERMISSION_DENIED: {
    status: 403,
    text: 'Your role does not allow this. Ask an administrator of your organization.',
  },
  APPLICATION_DISABLED: {
    status: 403,
    text: 'This application is disabled. Ask the person who manages the applications of the organization.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    text: 'Browsers may not send this request from another site. Add its origin to the application, or call from a server.',
  },
  VALIDATION_ERROR: { status: 400, text: 'The request is invalid. See details.' },
  MALFORMED_BODY: { status: 400, text: 'The body is not valid JSON in UTF-8.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'Send the body as application/json.' },
  BODY_TOO_LARGE: { status: 413, text: 'The body is too large. Send less data.' },
  NOT_FOUND: { status: 404, text: 'There is nothing at this URL.', bare: true },
  METHOD_NOT_ALLOWED: { status: 405, text: 'This URL does not support this method. See Allow.', bare: true },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    text: 'This Idempotency-Key was used with another body, or its result has been erased. Use a new key.',
  },
  INTERNAL: {
    status: 500,
    text: 'Something went wrong on our side. Report the X-Request-Id of this response.',
    bare: true,
  },
  UNAVAILABLE: {
    status: 503,
    text: 'The service cannot answer right now. Try again after the time in Retry-After.',
  },

  // codes that several areas use
  TOO_MANY_STREAMS: { status: 429, text: 'Too many open streams. Close one of them.' },
  NOTHING_TO_CHANGE: {
    status: 422,
    text: 'Send at least one field to change.',
    wireCode: 'VALIDATION_ERROR',
  },
  NOT_OF_THIS_ORGANIZATION: {
    status: 422,
    text: 'A field refers to something that does not exist. See details.',
    wireCode: 'VALIDATION_ERROR',
  },

  ...identityRefusals,
  ...studioRefusals,
  ...integrationRefusals,
  ...errorRefusals,
  ...marketplaceRefusals,
  ...chatRefusals,
  ...crmRefusals,
  ...billingRefusals,
} as const satisfies Refusals

export type ErrorCode = keyof typeof errors
