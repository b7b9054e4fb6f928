import type { ForApplications } from '#contract/events.ts'
import type { Scope } from '#contract/permissions.ts'
import type { EventSubject } from '#platform/events/emit.ts'

type Holds = (scope: Scope) => boolean
type Guarded = Pick<ForApplications, 'scope' | 'splitsBy'>
type Content = Guarded & Pick<ForApplications, 'contentScope'>

/**
 * True when the scopes of an application let it receive an event, or the part of one that `about` names. Asked when the
 * event happens, at every attempt, and when the delivery is read (EVT-4, DLV-8).
 */
export function scopesPermit(
  { scope, splitsBy }: Guarded,
  about: EventSubject | null | undefined,
  holds: Holds,
): boolean {
  if (scope !== null && !holds(scope)) return false
  return splitsBy === undefined || about?.part !== 'whole' || holds(splitsBy)
}

/** True for the rest of an event that an application is told as a whole. */
export function receivesWhole(
  { splitsBy }: Guarded,
  about: EventSubject | null | undefined,
  holds: Holds,
): boolean {
  return splitsBy !== undefined && about?.part === 'rest' && holds(splitsBy)
}

/** The scopes of those who may read what an event carries, or the part of it that `about` names. */
export function contentScopes(
  { scope, contentScope, splitsBy }: Content,
  about?: EventSubject | null,
): Scope[] {
  const readsPart = about?.part === 'whole' ? splitsBy : undefined
  return [scope, contentScope, readsPart].filter(one => one !== undefined && one !== null)
}
