import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { newId } from '#platform/ids.ts'
import type { AccessServices, Services } from '#platform/services.ts'
import { insertAccessChange } from './members/member.sql.ts'

/** For a change of memberships. */
export type MembershipServices = AccessServices & Pick<Services, 'membershipListener'>

/**
 * Records a change in what a person or application (or, with null, everybody) may do in the organization.
 * Written in the transaction; this process clears its cache after the commit, the others within two seconds.
 */
export function recordAccessChange(
  tx: Tx,
  services: AccessServices,
  callerId: string | null,
): Promise<number> {
  tx.pending.afterCommit.push(() => services.forget?.(tx.organizationId, callerId))
  return tx.run(insertAccessChange, { id: newId(), personId: callerId })
}

/** Says on the open people's streams of a person that their access changed (PEO-8). */
export function announceOwnAccess(tx: Tx, actor: EventActor, personId: string): void {
  const { organizationId } = tx
  emit(tx, actor, 'own-access.changed', { ids: [personId] }, [{ organizationId, personId }])
}

/** The same as `recordAccessChange` for a person, whose open people's streams say so (PEO-8). */
export function ownAccessChanged(
  tx: Tx,
  services: AccessServices,
  actor: EventActor,
  personId: string,
): Promise<number> {
  announceOwnAccess(tx, actor, personId)
  return recordAccessChange(tx, services, personId)
}

/**
 * The same for a change of a person's role, permissions or membership (or, with null, of everybody's). The
 * listener adjusts what the person does through applications and agents.
 */
export async function membershipChanged(
  tx: Tx,
  services: MembershipServices,
  actor: EventActor,
  personId: string | null,
): Promise<void> {
  await Promise.all([
    personId === null
      ? recordAccessChange(tx, services, null)
      : ownAccessChanged(tx, services, actor, personId),
    services.membershipListener.membershipChanged(tx, actor, personId),
  ])
}
