import type { Tx } from '#platform/data/db.ts'
import type { Services } from '#platform/services.ts'

/** After the commit, makes the dispatcher of the application read its endpoint and due deliveries. */
export function wakeDispatcherAfterCommit(
  tx: Tx,
  services: Pick<Services, 'wakeUp'>,
  applicationId: string,
): void {
  tx.pending.afterCommit.push(() => services.wakeUp?.due([applicationId]))
}
