import { type EventName, events } from '#contract/events.ts'
import { type CatalogueEvent, readCatalogue } from '#contract/integrations/catalogue.ts'
import { catalogueEvents } from '#contract/integrations/event-list.ts'
import { query } from '#platform/http/operation.ts'

/** All events for applications, each with a complete example body (EVT-1, EVT-2). */
export const catalogue: CatalogueEvent[] = catalogueEvents.map(listed => ({
  ...listed,
  schema: events[listed.event as EventName].data as unknown as Record<string, unknown>,
}))

export const read = query(readCatalogue, async () => ({ events: catalogue }))
