import { events, type ForApplications } from '#contract/events.ts'

/** What an event is to applications, or undefined when it is none of theirs. */
export function eventDefinition(name: string): ForApplications | undefined {
  const definitionOf = (events as Record<string, { audience: string }>)[name]
  return definitionOf?.audience === 'applications' ? (definitionOf as ForApplications) : undefined
}

/** True when an event is about a place that not all applications may look into: see Reach. */
export function needsRecipientCheck({ reaches }: Pick<ForApplications, 'reaches'>): boolean {
  return reaches === 'channel' || reaches === 'channel-subject' || reaches === 'channel-others'
}

/** The data of an event as text, its fields in the order of the promise: equal data gives equal bytes. */
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

/** The version that a rendered body tells. */
export function schemaVersionOf(body: string): string {
  const mark = '"schemaVersion":"'
  return body.slice(body.lastIndexOf(mark) + mark.length, -3)
}
