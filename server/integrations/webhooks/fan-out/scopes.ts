import type { ForApplications } from '#contract/events.ts'
import type { Scope } from '#contract/permissions.ts'
import type { EventSubject } from '#platform/events/emit.ts'

type Holds = (scope: Scope) => boolean
type Guarded = Pick<ForApplications, 'scope' | 'splitsBy'>
type Content = Guarded & Pick<ForApplications, 'contentScope'>

/**
 * True if the scopes of an application allow an event, or the part of it that `about` names. Checked when the event
 * happens, at every attempt, and when the delivery is read (EVT-4, DLV-8).
 */
export function scopesPermit(
  { scope, splitsBy }: Guarded,
  about: EventSubject | null | undefined,
  holds: Holds,
): boolean {
  if (scope !== null && !holds(scope)) return false
  return splitsBy === undefined || about?.part !== 'whole' || holds(splitsBy)
}

/** True for the reduced event if the application already receives the whole one. */
export function receivesWhole(
  { splitsBy }: Guarded,
  about: EventSubject | null | undefined,
  holds: Holds,
): boolean {
  return splitsBy !== undefined && about?.part === 'rest' && holds(splitsBy)
}

/** The scopes that allow reading the data of an event, or of the part that `about` names. */
export function contentScopes(
  { scope, contentScope, splitsBy }: Content,
  about?: EventSubject | null,
): Scope[] {
  const readsPart = about?.part === 'whole' ? splitsBy : undefined
  return [scope, contentScope, readsPart].filter(one => one !== undefined && one !== null)
}
