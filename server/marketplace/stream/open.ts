import { openMarketplaceStream } from '#contract/marketplace/stream.ts'
import type { StreamKind } from '#platform/events/sse-broker.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { markedReviewOf, marketplaceAudience } from './audience.ts'

export const marketplaceStreamKind: StreamKind = {
  stream: 'marketplace',
  audience: marketplaceAudience,
  replaces: markedReviewOf,
}

/** The stream of marketplace changes, which all organizations share (MST-1). */
export const marketplaceStream = eventStream(openMarketplaceStream, marketplaceStreamKind)
