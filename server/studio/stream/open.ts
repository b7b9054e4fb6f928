import { openCatalogStream } from '#contract/studio/stream.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { catalogAudience, counterOf } from './audience.ts'

/** The stream of catalogue changes (STR-1). */
export const catalogStream = eventStream(openCatalogStream, {
  stream: 'studio',
  audience: catalogAudience,
  replaces: counterOf,
})
