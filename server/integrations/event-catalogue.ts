import { events, type ForApplications } from '#contract/events.ts'
import { type CatalogueEvent, readCatalogue } from '#contract/integrations/catalogue.ts'
import { type ApplicationEventName, eventExamples } from '#contract/integrations/event-examples.ts'
import { query } from '#platform/http/operation.ts'

/** All events for applications, each with a complete example body (EVT-1, EVT-2). */
export const catalogue: CatalogueEvent[] = (Object.keys(eventExamples) as ApplicationEventName[]).map(
  event => {
    const { scope, schemaVersion, data } = events[event] as ForApplications
    const { when, example } = eventExamples[event]
    return {
      event,
      when,
      scope,
      schemaVersion,
      schema: data as unknown as Record<string, unknown>,
      example: {
        event,
        timestamp: '2026-07-01T09:30:00.000Z',
        app: { id: 'cmr1sbvk0h3x9d7q2w5e8t4ya', slug: 'support-desk' },
        data: example,
        meta: { schemaVersion },
      },
    }
  },
)

export const read = query(readCatalogue, async () => ({ events: catalogue }))
