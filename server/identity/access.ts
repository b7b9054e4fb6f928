import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import type { World } from '#platform/serve.ts'
import { insertAccessChange } from './members/store.ts'

/**
 * Says that what a person or an application (or, with null, anybody) may do in this organization has changed. Travels
 * with the transaction; this process forgets right after the commit, the others hear of it within two seconds.
 */
export function accessChanged(tx: Tx, world: Pick<World, 'forget'>, who: string | null): Promise<number> {
  tx.said.afterCommit.push(() => world.forget?.(tx.organizationId, who))
  return tx.run(insertAccessChange, newId(), who)
}
