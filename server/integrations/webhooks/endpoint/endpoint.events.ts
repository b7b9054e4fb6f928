import type { Tx } from '#platform/data/database.ts'
import type { World } from '#platform/http/operation.ts'

/** After the commit whoever sends for the application looks at its webhook, and at what is due, at once. */
export function toldAfter(tx: Tx, world: Pick<World, 'signal'>, applicationId: string): void {
  tx.said.afterCommit.push(() => world.signal?.due([applicationId]))
}
