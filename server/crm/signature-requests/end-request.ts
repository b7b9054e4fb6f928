import type { StopReason } from '#contract/crm/signature-requests.ts'
import type { Tx } from '#platform/data/db.ts'
import { insertEvents } from '../signing/signing-events.sql.ts'
import { queueEndedMail } from './request-mails.ts'
import { setRequestEnded } from './signature-request.sql.ts'

/** How the open request of a budget ends. */
export type RequestEnd = { status: 'COMPLETED' | 'DECLINED' } | { status: 'STOPPED'; stopReason: StopReason }

/** Ends the open request of a budget that this transaction has locked, if there is one. The caller revokes its open links. */
export async function endOpenRequest(
  tx: Tx,
  budgetId: string,
  actorId: string | null,
  requestEnd: RequestEnd,
): Promise<void> {
  const { status } = requestEnd
  const stopReason = 'stopReason' in requestEnd ? requestEnd.stopReason : null
  const ended = await setRequestEnded(tx, budgetId, status, stopReason)
  if (!ended || status === 'COMPLETED') return
  await queueEndedMail(tx, budgetId, ended, actorId)
  if (status === 'STOPPED')
    await insertEvents(tx, { budgetId, linkId: null, kind: 'REQUEST_STOPPED', actorId })
}
