import { openMarketplaceStream } from '#contract/marketplace/stream.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { markedReviewOf, marketplaceAudience } from './audience.ts'

/** The stream of marketplace changes, which all organizations share (MST-1). */
export const marketplaceStream = eventStream(openMarketplaceStream, {
  stream: 'marketplace',
  audience: marketplaceAudience,
  replaces: markedReviewOf,
})
