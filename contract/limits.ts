import { billingLimits } from './billing/limits.ts'
import { chatLimits } from './chat/limits.ts'
import { crmLimits } from './crm/limits.ts'
import { errorLimits } from './error-reports/limits.ts'
import { identityLimits } from './identity/limits.ts'
import { integrationLimits } from './integrations/limits.ts'
import { marketplaceLimits } from './marketplace/limits.ts'
import { studioLimits } from './studio/limits.ts'

/**
 * Every limit of the product, by area. Names end with the unit; `limit-descriptions.ts` says what each limit
 * means.
 */
export const limits = {
  // lists and streams: PAG-1, SSE-1, SSE-4
  pageLimit: 100,
  pageLimitDefault: 20,
  streamsPerPerson: 5,
  streamHeartbeatSeconds: 20,

  // searches and deep pages
  search: 200,
  /** A search ranks this many results by relevance; the rest follow unranked. */
  searchRanked: 100,
  /** A search lists and counts at most this many results. If there are more, the reply has `totalIsBound`. */
  searchTotal: 10_000,
  /**
   * The largest offset of a list. It keeps deep pages as fast as the first; clients narrow their filters
   * instead.
   */
  pageOffset: 10_000,

  // requests
  /** The size of a body, and the most that an operation with long fields may allow: see `bodyBytesOf`. */
  bodyBytes: 1_048_576,
  bodyBytesMost: 8_388_608,
  jsonDepth: 32,
  /** One text field of a multipart form. */
  formFieldBytes: 4_096,
  /** Fields and list items of a body, counted together. */
  jsonParts: 20_000,
  id: 64,
  requestId: 128,
  idempotencyKey: 255,
  idempotencyHours: 24,
  /** Attempts to send a mail, spread over about a day. */
  mailAttempts: 27,
  mailAttachmentBytes: 20 * 1_048_576,

  // streams
  streamBufferBytes: 1_048_576,
  streamReplayHours: 24,
  streamLeaseSeconds: 45,
  idsPerFrame: 100,
  reactionCoalesceMs: 250,

  ...studioLimits,
  ...marketplaceLimits,
  ...identityLimits,
  ...integrationLimits,
  ...errorLimits,
  ...chatLimits,
  ...crmLimits,
  ...billingLimits,
} as const

/**
 * Requests per minute, by the plan of the organization. Each API key, and each person in each organization,
 * has a separate allowance, which may be used all at once.
 */
export const requestsPerMinute = { FREE: 600, TEAM: 1_200, BUSINESS: 3_000, ENTERPRISE: 12_000 } as const
