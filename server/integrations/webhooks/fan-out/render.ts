import { events, type ForApplications } from '#contract/events.ts'

/** The definition of an event for applications; undefined if it is not one. */
export function eventDefinition(name: string): ForApplications | undefined {
  const definitionOf = (events as Record<string, { audience: string }>)[name]
  return definitionOf?.audience === 'applications' ? (definitionOf as ForApplications) : undefined
}

/** True for an event about a channel, which not all applications may see: see RecipientsResolver. */
export function needsRecipientCheck({ reaches }: Pick<ForApplications, 'reaches'>): boolean {
  return reaches === 'channel' || reaches === 'channel-subject' || reaches === 'channel-others'
}

/** The data of an event as JSON, its fields in the order of the contract: equal data gives equal bytes. */
export function renderData(data: unknown, definitionOf: ForApplications): string {
  const values = data as Record<string, unknown>
  const { properties = {} } = definitionOf.data as { properties?: Record<string, unknown> }
  const ordered = Object.keys(properties).filter(name => values[name] !== undefined)
  return JSON.stringify(Object.fromEntries(ordered.map(name => [name, values[name]])))
}

/** The body of a delivery (EVT-2). Its bytes are signed and never change (EVT-3). */
export function renderBody(
  event: { name: string; at: string },
  app: { id: string; slug: string },
  data: string,
  schemaVersion: string,
): string {
  const of = JSON.stringify({ id: app.id, slug: app.slug })
  return `{"event":"${event.name}","timestamp":"${event.at}","app":${of},"data":${data},"meta":{"schemaVersion":"${schemaVersion}"}}`
}

/** The schema version in a rendered body. */
export function schemaVersionOf(body: string): string {
  const mark = '"schemaVersion":"'
  return body.slice(body.lastIndexOf(mark) + mark.length, -3)
}
