import type { Scope } from '#contract/permissions.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { ApplicationRow } from '../../applications/application.access.ts'
import { assertWithinPermissions } from '../../applications/application.rules.ts'
import type { EventDefinitionLookup } from '../endpoint/endpoint.rules.ts'
import { eventDefinition } from '../fan-out/render.ts'
import { contentScopes, scopesPermit } from '../fan-out/scopes.ts'

/** True if the application has the scope of the event now, as for an attempt (DLV-8). */
export function mayReceive(
  scopes: ReadonlySet<Scope>,
  { event, about }: { event: string; about: EventSubject | null },
  definitionOf: EventDefinitionLookup = eventDefinition,
): boolean {
  const definition = definitionOf(event)
  return definition === undefined || scopesPermit(definition, about, scope => scopes.has(scope))
}

/**
 * True for a delivery that an application may pull. A webhook receives invoice events without a scope, because a person
 * who may read invoices chose its URL; an API key needs the scope.
 */
export function mayPull(
  scopes: ReadonlySet<Scope>,
  delivery: { event: string; about: EventSubject | null },
): boolean {
  const contentScope = eventDefinition(delivery.event)?.contentScope
  return mayReceive(scopes, delivery) && (contentScope === undefined || scopes.has(contentScope))
}

/**
 * Refuses APPLICATION_EXCEEDS_PERMISSIONS to a person who may not read the data of a delivery. The scopes of its event
 * count even if the application lost them: otherwise a person could remove them and then read.
 */
export function assertMayReadBody(
  caller: Caller,
  { principal_id, scopes }: ApplicationRow,
  { event, about }: { event: string; about: EventSubject },
): void {
  const definition = eventDefinition(event)
  const needed = definition ? contentScopes(definition, about) : []
  assertWithinPermissions(caller, { principal_id, scopes: [...scopes, ...needed] })
}
