import { operation } from '../operation.ts'
import { streamQuery } from '../shapes.ts'

export const openCatalogStream = operation('GET /events', {
  area: 'studio',
  summary: 'Open the stream of catalogue changes (server-sent events)',
  description:
    'Carries what happens to the assets that the caller may read at that moment. Begins with `connected`; a `heartbeat` follows every 20 seconds. A client that comes back with the id of its last event gets what it missed in the last 24 hours; when that is not possible it gets one `resync` and reads everything anew. The address takes the token of `POST /api/auth/sse-token`, not the session token: it opens streams for 60 seconds, so a later connection needs a new one.',
  auth: { session: { permission: 'STUDIO_VIEW' } },
  module: 'studio',
  query: streamQuery,
  responseType: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS'],
})
