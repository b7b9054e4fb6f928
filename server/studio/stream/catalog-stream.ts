import { openCatalogStream } from '#contract/studio/stream.ts'
import type { StreamKind } from '#platform/events/sse-broker.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { catalogRecipients, counterKey } from './recipients.ts'

export const catalogStreamKind: StreamKind = {
  stream: 'studio',
  audience: catalogRecipients,
  replaces: counterKey,
}

/** The event stream of the catalogue (STR-1). */
export const catalogStream = eventStream(openCatalogStream, catalogStreamKind)
