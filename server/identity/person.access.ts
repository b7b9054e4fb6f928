import type { Tx } from '#platform/data/database.ts'
import type { EventActor } from '#platform/events/emit.ts'
import type { Services } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { insertAccessChange } from './members/member.sql.ts'

/**
 * Says that what a person or an application (or, with null, anybody) may do in this organization has changed. Travels
 * with the transaction; this process forgets right after the commit, the others hear of it within two seconds.
 */
export function accessChanged(
  tx: Tx,
  services: Pick<Services, 'forget'>,
  callerId: string | null,
): Promise<number> {
  tx.pending.afterCommit.push(() => services.forget?.(tx.organizationId, callerId))
  return tx.run(insertAccessChange, newId(), callerId)
}

/**
 * The same when the role of a person (or, with null, of anybody), what it permits, or their membership has changed:
 * what they do through others is kept in step with it.
 */
export async function standingChanged(
  tx: Tx,
  services: Pick<Services, 'forget' | 'membershipListener'>,
  actor: EventActor,
  personId: string | null,
): Promise<void> {
  await Promise.all([
    accessChanged(tx, services, personId),
    services.membershipListener.standingChanged(tx, actor, personId),
  ])
}
