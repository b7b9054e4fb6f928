import { cancelRecovery, listRecoveries } from '#contract/integrations/recoveries.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { lockWebhook, webhookFor } from '../endpoint/endpoint.access.ts'
import { showRecoveries, showRecovery } from './redelivery.json.ts'
import { cancelWaiting, recoveriesOf } from './redelivery.sql.ts'

export const list = query(listRecoveries, async ({ db, params: { id } }) => {
  const [{ rows, waiting }] = await Promise.all([recoveriesOf(db, id), webhookFor(db, id)])
  return { items: showRecoveries(rows, waiting) }
})

export const cancel = command(cancelRecovery, async ({ tx, params: { id, recoveryId }, audit }) => {
  const [, { rows, waiting }] = await tx.inOrder(
    () => lockWebhook(tx, id),
    () => recoveriesOf(tx, id),
  )
  const recovery = rows.find(row => row.id === recoveryId) ?? fail('RECOVERY_NOT_FOUND')
  if (recovery !== rows[0] || recovery.cancelledAt !== null || waiting === 0) fail('RECOVERY_ENDED')
  const cancelled = await cancelWaiting(tx, id, recovery)
  audit(recoveryId, ['cancelledAt'])
  return showRecovery(cancelled, waiting - cancelled.cancelled)
})

/** Refuses RECOVERY_RUNNING while another recovery has waiting deliveries. The caller must hold the webhook lock. */
export async function assertNoneRuns(tx: Tx, applicationId: string): Promise<void> {
  if ((await recoveriesOf(tx, applicationId)).waiting > 0) fail('RECOVERY_RUNNING')
}
