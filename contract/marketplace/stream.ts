import { operation } from '../operation.ts'
import { streamQuery } from '../shapes.ts'

/** Keeps MST-1. */
export const openMarketplaceStream = operation('GET /marketplace/events', {
  area: 'studio',
  module: 'studio',
  feature: 'marketplace',
  summary: 'Open the stream of marketplace changes (server-sent events)',
  description:
    'Sends events about entries; each person receives only the events meant for them. Open and resume it like the ' +
    'catalogue stream, with a token of `POST /api/auth/sse-token`.',
  auth: { session: { permission: 'STUDIO_MARKETPLACE_VIEW' } },
  query: streamQuery,
  responseType: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS'],
})
