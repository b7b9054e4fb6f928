import type { Tx } from '#platform/data/database.ts'
import type { EventActor } from '#platform/events/emit.ts'
import type { Services } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { insertAccessChange } from './members/member.sql.ts'

/**
 * Records a change in what a person or application (or, with null, everybody) may do in the organization.
 * Written in the transaction; this process clears its cache after the commit, the others within two seconds.
 */
export function recordAccessChange(
  tx: Tx,
  services: Pick<Services, 'forget'>,
  callerId: string | null,
): Promise<number> {
  tx.pending.afterCommit.push(() => services.forget?.(tx.organizationId, callerId))
  return tx.run(insertAccessChange, newId(), callerId)
}

/**
 * The same for a change of a person's role, permissions or membership (or, with null, of everybody's). The
 * listener adjusts what the person does through applications and agents.
 */
export async function membershipChanged(
  tx: Tx,
  services: Pick<Services, 'forget' | 'membershipListener'>,
  actor: EventActor,
  personId: string | null,
): Promise<void> {
  await Promise.all([
    recordAccessChange(tx, services, personId),
    services.membershipListener.membershipChanged(tx, actor, personId),
  ])
}
