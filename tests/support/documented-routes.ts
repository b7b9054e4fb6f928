/**
 * Every documented route with its full path. `stage`: a test requires those marked 'now', and refuses 'later'
 * for existing routes.
 */
export type DocumentedRoute = { document: 1 | 2 | 3; stage: 'now' | 'later'; route: string }

function promised(
  document: DocumentedRoute['document'],
  prefix: string,
  stage: DocumentedRoute['stage'],
  routes: string,
): DocumentedRoute[] {
  return routes
    .trim()
    .split('\n')
    .map(line => {
      const [method, path] = line.trim().split(' ')
      return { document, stage, route: `${method} ${prefix}${path}` }
    })
}

export const documentedRoutes: DocumentedRoute[] = [
  ...promised(1, '/api/auth', 'now', 'POST /sse-token'),
  ...promised(
    1,
    '/api/studio',
    'now',
    `POST /assets
     GET /assets
     GET /assets/by-slug/:slug
     GET /assets/:id
     PATCH /assets/:id
     DELETE /assets/:id
     POST /assets/:id/publish
     POST /assets/:id/archive
     POST /assets/:id/unarchive
     POST /assets/:id/verify
     POST /assets/:id/duplicate
     POST /assets/:id/use
     POST /assets/:id/thumbs-up
     POST /assets/:id/thumbs-down
     GET /events
     GET /assets/:id/versions
     GET /assets/:id/versions/:version
     POST /assets/:id/versions
     POST /assets/:id/versions/:version/rollback
     POST /assets/:id/versions/:version/files
     GET /assets/:id/versions/:version/files
     GET /assets/:id/versions/:version/files/:fileId/download
     DELETE /assets/:id/versions/:version/files/:fileId
     GET /assets/:id/export
     POST /assets/import
     GET /collections
     POST /collections
     GET /collections/:id
     PATCH /collections/:id
     DELETE /collections/:id
     POST /collections/:id/assets
     DELETE /collections/:id/assets/:assetId
     GET /collections/:id/assets
     POST /assets/:id/links
     GET /assets/:id/links
     DELETE /assets/:id/links/:linkId
     GET /links/by-entity
     POST /assets/:id/shares
     GET /assets/:id/shares
     DELETE /assets/:id/shares/:shareId`,
  ),
  ...promised(
    1,
    '/api/studio',
    'now',
    `POST /marketplace/entries
     GET /marketplace/entries
     GET /marketplace/entries/:id
     PATCH /marketplace/entries/:id
     DELETE /marketplace/entries/:id
     POST /marketplace/entries/:id/report
     POST /marketplace/entries/:id/install
     GET /marketplace/installs
     GET /marketplace/entries/:id/installs
     POST /marketplace/entries/:id/reviews
     GET /marketplace/entries/:id/reviews
     PATCH /marketplace/reviews/:reviewId
     DELETE /marketplace/reviews/:reviewId
     POST /marketplace/reviews/:reviewId/helpful
     DELETE /marketplace/reviews/:reviewId/helpful
     GET /marketplace/events`,
  ),
  ...promised(
    2,
    '/api/external/v1',
    'now',
    `GET /chat/messages/:messageId
     POST /chat/channels/:channelId/messages
     POST /chat/channels
     PATCH /chat/channels/:channelId
     POST /chat/channels/:channelId/archive
     POST /chat/channels/:channelId/members
     DELETE /chat/channels/:channelId/members/:userId
     POST /errors/report
     GET /errors
     GET /errors/stats`,
  ),
  ...promised(
    3,
    '/api/external/v1',
    'now',
    `POST /leads
     GET /leads
     GET /leads/:id
     GET /leads/search
     GET /leads/by-email
     GET /leads/sync
     POST /leads/:id/qualify
     POST /leads/:id/disqualify
     POST /leads/:id/convert
     PATCH /leads/:id
     POST /leads/:id/score
     GET /budgets/:budgetId/signatures
     GET /budgets/:budgetId/signatures/:sigId
     GET /budgets/:budgetId/signatures/:sigId/verify
     POST /invoices/:id/charge
     POST /invoices/:id/pay
     POST /invoices/:id/mark-paid
     POST /invoices/:id/refund
     POST /invoices/:id/send
     GET /invoices/:id/public-link
     POST /invoices/:id/public-link
     GET /invoices`,
  ),
]

/** The frames of the catalogue and marketplace streams. */
export const documentedFrames: { frame: string; stage: DocumentedRoute['stage'] }[] = [
  ...[
    'asset-created',
    'asset-updated',
    'asset-published',
    'asset-archived',
    'asset-unarchived',
    'asset-deleted',
    'asset-version-created',
    'asset-verified',
    'asset-linked',
    'asset-shared',
    'marketplace-featured',
    'marketplace-unfeatured',
    'marketplace-reviewed',
    'marketplace-review-updated',
    'marketplace-review-deleted',
    'marketplace-review-helpful',
    'marketplace-under-review',
    'marketplace-approved',
    'marketplace-rejected',
    'marketplace-archived',
    'marketplace-new-version-pending-review',
    'marketplace-installed',
  ].map(frame => ({ frame, stage: 'now' as const })),
]

/** The documented limits, by their names in contract/limits.ts. */
export const documentedLimits: Record<string, number> = {
  assetName: 255,
  assetIconName: 64,
  assetColor: 32,
  pageLimit: 100,
  pageLimitDefault: 20,
  streamsPerPerson: 5,
  streamHeartbeatSeconds: 20,
  submissionsPerDay: 10,
  reportsPerDay: 20,
  installsPerDay: 100,
  reviewsPerDay: 20,
  reviewChangesPerDay: 40,
  helpfulPerDay: 200,
  entryTags: 15,
  entryTag: 48,
  reportReasonMin: 10,
  reportReason: 1_000,
  reviewComment: 4_000,
  installName: 255,
  errorMessage: 2_000,
  errorModule: 100,
  errorStack: 10_000,
  errorFile: 500,
  errorFunction: 200,
  errorEndpoint: 500,
  errorUserId: 255,
  errorsPageLimit: 200,
  topErrors: 10,
}
