import type { Endpoint } from '#contract/endpoint.ts'
import { openCatalogStream } from '#contract/studio/stream.ts'
import { assertAllowed } from '#platform/admit.ts'
import type { StreamKind } from '#platform/relay/hub.ts'
import { streams } from '#platform/serve.ts'
import { catalogAudience, counterOf } from './audience.ts'

const catalog: StreamKind = { stream: 'studio', audience: catalogAudience, replaces: counterOf }

/** The stream of catalogue changes. Document 1, Events. */
export const catalogStream = streams(openCatalogStream, ({ caller, query, request, reply, world }) => {
  // a browser sends the header on its own reconnects, when the address still says where it first began
  const header = request.headers['last-event-id']
  const lastEventId = typeof header === 'string' ? header : query.lastEventId
  return world.hub.open({
    kind: catalog,
    caller,
    request,
    reply,
    lastEventId,
    assertAllowed: now => assertAllowed(now, 'people', openCatalogStream as Endpoint),
  })
})
