import type { Tx } from '#platform/data/database.ts'
import type { Services } from '#platform/http/operation.ts'

/** After the commit whoever sends for the application looks at its webhook, and at what is due, at once. */
export function wakeDispatcherAfterCommit(
  tx: Tx,
  services: Pick<Services, 'wakeUp'>,
  applicationId: string,
): void {
  tx.pending.afterCommit.push(() => services.wakeUp?.due([applicationId]))
}
