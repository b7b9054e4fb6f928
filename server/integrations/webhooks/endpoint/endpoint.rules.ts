import type { ForApplications } from '#contract/events.ts'
import { eventExamples } from '#contract/integrations/event-examples.ts'
import type { Scope } from '#contract/permissions.ts'
import { BlockedAddress } from '#platform/adapters/http-client/addresses.ts'
import { NameUnknown } from '#platform/adapters/http-client/resolve-names.ts'
import type { SavedAddresses } from '#platform/adapters/http-client/saved-addresses.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { ApplicationRow } from '../../applications/application.access.ts'
import { assertWithinPermissions } from '../../applications/application.rules.ts'
import { eventDefinition } from '../fan-out/render.ts'
import { contentScopes } from '../fan-out/scopes.ts'
import type { WebhookRow } from './endpoint.access.ts'

/** The fields of a webhook that a person sets. */
export type WebhookFields = Pick<
  WebhookRow,
  'url' | 'events' | 'max_per_second' | 'is_ordered' | 'has_standard_headers'
>

/** Finds the definition of an event for applications by its name. */
export type EventDefinitionLookup = (name: string) => Pick<ForApplications, 'scope' | 'splitsBy'> | undefined

const allNames = Object.keys(eventExamples)

/**
 * Returns the names of events in the order of the catalogue. Refuses VALIDATION_ERROR for a name that is not in the
 * catalogue, with the right spelling, and for an event whose scope the application lacks (WHK-2).
 */
export function assertEvents(
  names: readonly string[],
  scopes: readonly Scope[],
  definitionOf: EventDefinitionLookup = eventDefinition,
  catalogue: readonly string[] = allNames,
): string[] {
  const details = names.flatMap((name, at) => {
    const path = `events.${at}`
    if (!catalogue.includes(name)) return [{ path, code: 'enum', message: suggestion(name, catalogue) }]
    const scope = definitionOf(name)?.scope ?? null
    if (scope === null || scopes.includes(scope)) return []
    return [{ path, code: 'scope', message: `${name} needs the scope ${scope}, which the application lacks` }]
  })
  if (details.length > 0) fail('VALIDATION_ERROR', { details: details.slice(0, 20) })
  return catalogue.filter(name => names.includes(name))
}

/**
 * Refuses APPLICATION_EXCEEDS_PERMISSIONS if a new URL or event would deliver data that the caller may not read. Other
 * changes, such as fewer events, need only INTEGRATIONS_MANAGE.
 */
export function assertMaySetTarget(
  caller: Caller,
  application: ApplicationRow,
  before: WebhookRow | undefined,
  { url, events }: Pick<WebhookFields, 'url' | 'events'>,
): void {
  const isNewTarget = before?.url !== url || events.some(name => !before.events.includes(name))
  if (isNewTarget) assertMayReceive(caller, application, events)
}

/**
 * Refuses APPLICATION_EXCEEDS_PERMISSIONS to a person who may not read the data that the webhook receives. Events count
 * in addition to scopes, because some events need no scope.
 */
export function assertMayReceive(
  caller: Caller,
  { principal_id, scopes }: ApplicationRow,
  events: readonly string[],
): void {
  const eventScopes = events.flatMap(name => {
    const definition = eventDefinition(name)
    return definition ? contentScopes(definition) : []
  })
  assertWithinPermissions(caller, { principal_id, scopes: [...scopes, ...eventScopes] })
}

function suggestion(name: string, catalogue: readonly string[]): string {
  const normalized = name
    .trim()
    .toUpperCase()
    .replaceAll(/[.\s-]/g, '_')
  if (normalized === name)
    return 'is not an event of the catalogue. GET /api/external/v1/events/catalogue lists the events'
  const example = catalogue.includes(normalized) ? normalized : 'CHAT_MESSAGE_CREATED'
  return `must be in capitals with underscores, as in the catalogue, for example ${example}`
}

/** Returns a URL as it is stored, without a fragment. Refuses VALIDATION_ERROR if it is not a valid URL. */
export function normalizeUrl(text: string): string {
  if (!URL.canParse(text)) refuseUrl('must be a URL, such as https://app.example.com/patio')
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) refuseUrl('must begin with https://')
  if (url.username || url.password) refuseUrl('must not contain a user name or password')
  url.hash = ''
  return url.href
}

/** Refuses VALIDATION_ERROR for a URL that must not be called. Resolves names, so do not call it in a transaction. */
export async function assertReachable(addresses: SavedAddresses, url: string): Promise<void> {
  await addresses.assertAllowed(url).catch((error: Error) => {
    if (error instanceof BlockedAddress) refuseUrl('must lead to a public IP address')
    if (error instanceof NameUnknown) refuseUrl('must have a host name that resolves to an IP address')
    if (error instanceof TypeError) refuseUrl('must begin with https://')
    throw error
  })
}

function refuseUrl(message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path: 'url', code: 'format', message }] })
}

/** The wire names of the fields that differ; all of them for a new webhook. */
export function changedFields(before: WebhookFields | undefined, after: WebhookFields): string[] {
  const names = {
    url: 'url',
    events: 'events',
    max_per_second: 'maxPerSecond',
    is_ordered: 'ordered',
    has_standard_headers: 'standardHeaders',
  }
  return before ? changedFieldNames(names, before, after) : Object.values(names)
}
