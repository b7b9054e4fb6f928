import type { Scope } from '#contract/permissions.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { ApplicationRow } from '../../applications/application.access.ts'
import { assertWithinPermissions } from '../../applications/application.rules.ts'
import type { EventDefinitionLookup } from '../endpoint/endpoint.rules.ts'
import { eventDefinition } from '../fan-out/render.ts'
import { contentScopes, scopesPermit } from '../fan-out/scopes.ts'

/** As for an attempt: the application needs the scope of the event now (DLV-8). */
export function mayReceive(
  scopes: ReadonlySet<Scope>,
  { event, about }: { event: string; about: EventSubject | null },
  definitionOf: EventDefinitionLookup = eventDefinition,
): boolean {
  const definition = definitionOf(event)
  return definition === undefined || scopesPermit(definition, about, scope => scopes.has(scope))
}

/**
 * True for a delivery that an application may pull. A webhook is told of its invoices without a scope, because the
 * address was chosen by somebody who may read them; a key of an application without scopes opens nothing.
 */
export function mayPull(
  scopes: ReadonlySet<Scope>,
  delivery: { event: string; about: EventSubject | null },
): boolean {
  const contentScope = eventDefinition(delivery.event)?.contentScope
  return mayReceive(scopes, delivery) && (contentScope === undefined || scopes.has(contentScope))
}

/**
 * Refuses APPLICATION_EXCEEDS_PERMISSIONS to a person who may not read what a delivery carries. The scopes of its event
 * count also when the application has lost them since: otherwise somebody would take them away and read.
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
