import { Readable } from 'node:stream'
import type { Operation } from '#contract/operation.ts'
import type { StreamKind } from '../events/sse-broker.ts'
import { activeSpan } from '../traces.ts'
import { assertAllowed } from './admission.ts'
import { type ServedOperation, stream } from './operation.ts'

/** Serves an event stream for people; see SseBroker and the rules SSE-1 to SSE-10. */
export function eventStream(
  contract: Operation<{ query: { lastEventId?: string } }, void>,
  kind: StreamKind,
): ServedOperation {
  return stream(contract, async ({ caller, query, request, reply, services }) => {
    if (request.method === 'HEAD')
      return reply.header('content-type', 'text/event-stream').send(Readable.from([]))
    // a span lasts until the stream is open, and not for hours
    activeSpan()?.end()
    // on a reconnect, browsers send the header, while the URL still holds the first cursor
    const header = request.headers['last-event-id']
    return services.sseBroker.open({
      kind,
      caller,
      request,
      reply,
      lastEventId: typeof header === 'string' ? header : query.lastEventId,
      assertAllowed: now => assertAllowed(now, 'session', contract),
    })
  })
}
