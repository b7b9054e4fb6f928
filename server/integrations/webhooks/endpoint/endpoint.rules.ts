import type { ForApplications } from '#contract/events.ts'
import { notices } from '#contract/integrations/notices.ts'
import type { Scope } from '#contract/permissions.ts'
import { BlockedAddress } from '#platform/adapters/http-client/addresses.ts'
import { NameUnknown } from '#platform/adapters/http-client/resolve-names.ts'
import type { SavedAddresses } from '#platform/adapters/http-client/saved-addresses.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { ApplicationRow } from '../../applications/application.access.ts'
import { assertWithinPermissions } from '../../applications/application.rules.ts'
import { promiseOf } from '../fan-out/render.ts'
import { contentScopes } from '../fan-out/scopes.ts'
import type { WebhookRow } from './endpoint.access.ts'

/** What a person says of a webhook. */
export type Fields = Pick<
  WebhookRow,
  'url' | 'events' | 'max_per_second' | 'is_ordered' | 'has_standard_headers'
>

/** What an event is to applications, by its name. */
export type Promised = (name: string) => Pick<ForApplications, 'scope' | 'splitsBy'> | undefined

const allNames = Object.keys(notices)

/**
 * The names of events in the order of the catalogue. Refuses VALIDATION_ERROR at one that is no event of the
 * catalogue, with how it is written, and at one whose scope the application lacks (WHK-2).
 */
export function assertEvents(
  names: readonly string[],
  scopes: readonly Scope[],
  promised: Promised = promiseOf,
  catalogue: readonly string[] = allNames,
): string[] {
  const details = names.flatMap((name, at) => {
    const path = `events.${at}`
    if (!catalogue.includes(name)) return [{ path, code: 'enum', message: misspelt(name, catalogue) }]
    const scope = promised(name)?.scope ?? null
    if (scope === null || scopes.includes(scope)) return []
    return [{ path, code: 'scope', message: `${name} needs the scope ${scope}, which the application lacks` }]
  })
  if (details.length > 0) fail('VALIDATION_ERROR', { details: details.slice(0, 20) })
  return catalogue.filter(name => names.includes(name))
}

/**
 * Refuses APPLICATION_EXCEEDS_PERMISSIONS when a new address or event would let somebody receive what they may not read.
 * Other changes, such as fewer events, need no more than INTEGRATIONS_MANAGE.
 */
export function assertMayDirect(
  caller: Caller,
  application: ApplicationRow,
  before: WebhookRow | undefined,
  { url, events }: Pick<Fields, 'url' | 'events'>,
): void {
  const isDirected = before?.url !== url || events.some(name => !before.events.includes(name))
  if (isDirected) assertMayReceive(caller, application, events)
}

/**
 * Refuses APPLICATION_EXCEEDS_PERMISSIONS to a person who may not read what the webhook of the application is told. The
 * events count beside the scopes, because some need no scope.
 */
export function assertMayReceive(
  caller: Caller,
  { principal_id, scopes }: ApplicationRow,
  events: readonly string[],
): void {
  const told = events.flatMap(name => {
    const promise = promiseOf(name)
    return promise ? contentScopes(promise) : []
  })
  assertWithinPermissions(caller, { principal_id, scopes: [...scopes, ...told] })
}

function misspelt(name: string, catalogue: readonly string[]): string {
  const meant = name
    .trim()
    .toUpperCase()
    .replaceAll(/[.\s-]/g, '_')
  if (meant === name) return 'is no event of the catalogue: GET /api/external/v1/events/catalogue lists them'
  const example = catalogue.includes(meant) ? meant : 'CHAT_MESSAGE_CREATED'
  return `must be written in capitals with underscores, as in the catalogue, such as ${example}`
}

/** An address of the web as it is kept, without a fragment. Refuses VALIDATION_ERROR at what is none. */
export function tidyUrl(text: string): string {
  if (!URL.canParse(text)) refuseUrl('must be an address, such as https://app.example.com/patio')
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) refuseUrl('must begin with https://')
  if (url.username || url.password) refuseUrl('must not carry a name or password')
  url.hash = ''
  return url.href
}

/** Refuses VALIDATION_ERROR at an address that nothing may be sent to. Asks name servers: not inside a transaction. */
export async function assertReachable(addresses: SavedAddresses, url: string): Promise<void> {
  await addresses.assertAllowed(url).catch((error: Error) => {
    if (error instanceof BlockedAddress) refuseUrl('must not lead to an address that is not public')
    if (error instanceof NameUnknown) refuseUrl('must have a host that has an address')
    if (error instanceof TypeError) refuseUrl('must begin with https://')
    throw error
  })
}

function refuseUrl(message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path: 'url', code: 'format', message }] })
}

/** The fields that differ, by their names on the wire; of a new webhook all. */
export function changedFields(before: Fields | undefined, after: Fields): string[] {
  const fields: [name: string, before: unknown, after: unknown][] = [
    ['url', before?.url, after.url],
    ['events', before?.events.join(), after.events.join()],
    ['maxPerSecond', before?.max_per_second, after.max_per_second],
    ['ordered', before?.is_ordered, after.is_ordered],
    ['standardHeaders', before?.has_standard_headers, after.has_standard_headers],
  ]
  return fields.filter(([, was, is]) => was !== is).map(([name]) => name)
}
