import type { Tx } from '#platform/data/database.ts'
import type { Actor } from '#platform/events/emit.ts'
import type { World } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { insertAccessChange } from './members/member.sql.ts'

/**
 * Says that what a person or an application (or, with null, anybody) may do in this organization has changed. Travels
 * with the transaction; this process forgets right after the commit, the others hear of it within two seconds.
 */
export function accessChanged(tx: Tx, world: Pick<World, 'forget'>, who: string | null): Promise<number> {
  tx.said.afterCommit.push(() => world.forget?.(tx.organizationId, who))
  return tx.run(insertAccessChange, newId(), who)
}

/**
 * The same when the role of a person (or, with null, of anybody), what it permits, or their membership has changed:
 * what they do through others is kept in step with it.
 */
export async function standingChanged(
  tx: Tx,
  world: Pick<World, 'forget' | 'follower'>,
  actor: Actor,
  personId: string | null,
): Promise<void> {
  await Promise.all([accessChanged(tx, world, personId), world.follower.standingChanged(tx, actor, personId)])
}
