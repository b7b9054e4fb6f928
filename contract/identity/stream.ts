import { operation } from '../operation.ts'
import { streamQuery } from '../shapes.ts'

/** Keeps PEO-1. */
export const openPeopleStream = operation('GET /', {
  area: 'events',
  summary: "Open the people's stream: the changes of all areas (server-sent events)",
  description:
    'One stream for everything that a person may see: the events of the catalogue, marketplace and chat streams, and events ' +
    'that say which leads, clients, invoices, errors and other objects changed. The latter carry ids only. Each event is ' +
    'sent to those who may read its objects at that moment. Open and resume it like the catalogue stream, with a token of ' +
    '`POST /api/auth/sse-token`. The `id` of an event is a text; send it back as `Last-Event-ID` as it is.',
  auth: { session: { permission: null } },
  query: streamQuery,
  responseType: 'text/event-stream',
  errors: ['TOO_MANY_STREAMS'],
})
