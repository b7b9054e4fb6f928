import { operation } from '../operation.ts'
import { streamQuery } from '../shapes.ts'

export const openChatStream = operation('GET /events', {
  area: 'chat',
  summary: 'Open the stream of chat (server-sent events)',
  description:
    'Carries what happens in the channels where the caller is, and of messages those that they may read. Events carry ' +
    'identifiers alone. Begins with `connected`; a `heartbeat` follows every 20 seconds. A client that comes back with ' +
    'the id of its last event gets what it missed in the last 24 hours; when that is not possible it gets one `resync` ' +
    'and reads everything anew. The address takes the token of `POST /api/auth/sse-token`, not the session token: ' +
    'it opens streams for 60 seconds, so a later connection needs a new one.',
  auth: { session: { permission: 'CHAT_USE' } },
  query: streamQuery,
  responseType: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS'],
})
