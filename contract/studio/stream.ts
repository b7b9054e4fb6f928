import { operation } from '../operation.ts'
import { streamQuery } from '../shapes.ts'

export const openCatalogStream = operation('GET /events', {
  area: 'studio',
  summary: 'Open the stream of catalogue changes (server-sent events)',
  description:
    'Sends the events of assets that the caller may read at that moment. The stream starts with `connected`; a `heartbeat` ' +
    'follows every 20 seconds. A client that reconnects with the id of its last event receives the events that it missed ' +
    'in the last 24 hours. When that is impossible it receives one `resync` and must read everything again. The address ' +
    'takes the token of `POST /api/auth/sse-token`, not the session token. That token opens streams for 60 seconds, so a ' +
    'later connection needs a new one.',
  auth: { session: { permission: 'STUDIO_VIEW' } },
  module: 'studio',
  query: streamQuery,
  responseType: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS'],
})
