import type { Endpoint } from '#contract/endpoint.ts'
import { openMarketplaceStream } from '#contract/marketplace/stream.ts'
import { assertAllowed } from '#platform/admit.ts'
import type { StreamKind } from '#platform/relay/hub.ts'
import { streams } from '#platform/serve.ts'
import { markedReviewOf, marketplaceAudience } from './audience.ts'

const marketplace: StreamKind = {
  stream: 'marketplace',
  audience: marketplaceAudience,
  replaces: markedReviewOf,
}

/** The stream of marketplace changes, which all organizations share. Document 1, Marketplace stream. */
export const marketplaceStream = streams(
  openMarketplaceStream,
  ({ caller, query, request, reply, world }) => {
    // a browser sends the header on its own reconnects, when the address still says where it first began
    const header = request.headers['last-event-id']
    const lastEventId = typeof header === 'string' ? header : query.lastEventId
    return world.hub.open({
      kind: marketplace,
      caller,
      request,
      reply,
      lastEventId,
      assertAllowed: now => assertAllowed(now, 'people', openMarketplaceStream as Endpoint),
    })
  },
)
