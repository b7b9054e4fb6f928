import { openCatalogStream } from '#contract/studio/stream.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { catalogRecipients, counterKey } from './recipients.ts'

/** The event stream of the catalogue (STR-1). */
export const catalogStream = eventStream(openCatalogStream, {
  stream: 'studio',
  audience: catalogRecipients,
  replaces: counterKey,
})
