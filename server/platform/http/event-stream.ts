import { Readable } from 'node:stream'
import type { Endpoint } from '#contract/operation.ts'
import type { StreamKind } from '../events/sse-broker.ts'
import { assertAllowed } from './admission.ts'
import { type Served, streams } from './operation.ts'

/** Serves an event stream of people; see Hub and the rules SSE-1 to SSE-10. */
export function eventStream(
  endpoint: Endpoint<{ query: { lastEventId?: string } }, void>,
  kind: StreamKind,
): Served {
  return streams(endpoint, async ({ caller, query, request, reply, world }) => {
    if (request.method === 'HEAD')
      return reply.header('content-type', 'text/event-stream').send(Readable.from([]))
    // a browser sends the header on its own reconnects, when the address still says where it first began
    const header = request.headers['last-event-id']
    return world.hub.open({
      kind,
      caller,
      request,
      reply,
      lastEventId: typeof header === 'string' ? header : query.lastEventId,
      assertAllowed: now => assertAllowed(now, 'people', endpoint),
    })
  })
}
