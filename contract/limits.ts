import { billingLimits } from './billing/limits.ts'
import { chatLimits } from './chat/limits.ts'
import { crmLimits } from './crm/limits.ts'
import { errorLimits } from './error-reports/limits.ts'
import { identityLimits } from './identity/limits.ts'
import { integrationLimits } from './integrations/limits.ts'
import { marketplaceLimits } from './marketplace/limits.ts'
import { studioLimits } from './studio/limits.ts'

/** Every limit of the product, by area. Units stand last in each name. */
export const limits = {
  // lists and streams: PAG-1, SSE-1, SSE-4
  pageLimit: 100,
  pageLimitDefault: 20,
  streamsPerPerson: 5,
  streamHeartbeatSeconds: 20,

  // searches and deep pages
  search: 200,
  /** A search puts this many in the order of relevance; the others follow them. */
  searchRanked: 100,
  /** A search lists and counts this many. When there are more, `totalIsBound` says so. */
  searchTotal: 10_000,
  /** Deeper pages are refused: narrow the filters instead. Keeps every page as fast as the first. */
  pageOffset: 10_000,

  // the doors
  /** Every body may have so many bytes; one whose fields may hold more, up to so many: see `bodyBytesOf`. */
  bodyBytes: 1_048_576,
  bodyBytesMost: 8_388_608,
  jsonDepth: 32,
  /** One text of a multipart form. */
  formFieldBytes: 4_096,
  /** Fields and list items of a body together. */
  jsonParts: 20_000,
  id: 64,
  requestId: 128,
  idempotencyKey: 255,
  idempotencyHours: 24,
  /** A mail that no server takes is tried so often, over about a day. */
  mailAttempts: 27,

  // streams
  streamBufferBytes: 1_048_576,
  streamReplayHours: 24,
  streamLeaseSeconds: 45,
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
 * Requests per minute, by the plan of the organization: of each key of an application, and of each person in each
 * organization. The requests of a whole minute may come at once.
 */
export const requestsPerMinute = { FREE: 600, TEAM: 1_200, BUSINESS: 3_000, ENTERPRISE: 12_000 } as const
