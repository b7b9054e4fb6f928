import { events, type ForApplications } from '../events.ts'
import type { Scope } from '../permissions.ts'
import type { CatalogueEvent } from './catalogue.ts'
import { type ApplicationEventName, eventExamples } from './event-examples.ts'

const names = Object.keys(eventExamples) as ApplicationEventName[]
const definitionOf = (name: ApplicationEventName) => events[name] as ForApplications

/** The events that applications can receive, in the order of the catalogue, with the scopes that they need. */
export const applicationEvents: readonly {
  readonly event: ApplicationEventName
  /** An application receives the event only with this scope. */
  readonly scope: Scope | null
  /** A person may read the content of a delivery only with the permissions of these scopes (WHK-3, WHK-4). */
  readonly contentScopes: readonly Scope[]
}[] = names.map(event => {
  const { scope, contentScope } = definitionOf(event)
  return { event, scope, contentScopes: [scope, contentScope].filter(one => one != null) }
})

/** The same events as the catalogue shows them, without the schema of their data (EVT-1, EVT-2). */
export const catalogueEvents: readonly Omit<CatalogueEvent, 'schema'>[] = names.map(event => {
  const { scope, schemaVersion } = definitionOf(event)
  const { when, example } = eventExamples[event]
  return {
    event,
    when,
    scope,
    schemaVersion,
    example: {
      event,
      timestamp: '2026-07-01T09:30:00.000Z',
      app: { id: 'cmr1sbvk0h3x9d7q2w5e8t4ya', slug: 'support-desk' },
      data: example,
      meta: { schemaVersion },
    },
  }
})
