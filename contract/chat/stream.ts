import { operation } from '../operation.ts'
import { streamQuery } from '../shapes.ts'

export const openChatStream = operation('GET /events', {
  area: 'chat',
  summary: 'Open the chat event stream (server-sent events)',
  description:
    'Streams the events of the channels of the caller and of the messages that the caller may read. Events carry ids only. ' +
    'The stream starts with `connected` and sends a `heartbeat` every 20 seconds. A client that reconnects with the id of ' +
    'its last event receives the events that it missed in the last 24 hours. If that is not possible it receives one ' +
    '`resync` and must reload everything. The URL takes a token of `POST /api/auth/sse-token`, not the session token. ' +
    'The token opens streams for 60 seconds; a later connection needs a new one.',
  auth: { session: { permission: 'CHAT_USE' } },
  query: streamQuery,
  responseType: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS'],
})
