import { isGatewayError } from '#platform/adapters/gateway.ts'
import { monotonicMs } from '#platform/clock.ts'
import { gatewayOf, type PaymentContext } from '../charges/payment-context.ts'
import { pollWhile } from '../poll-while.ts'
import { importRefunds } from './import-refunds.ts'
import type { RefundPartRow, RefundRow } from './refund.row.ts'
import { listParts, readPart, readRefund } from './refund.sql.ts'
import { requestPart } from './request-part.ts'
import { recordPartResult, settleRefund } from './settle-refund.ts'

const waitSeconds = 25

/** Requests the parts of a new refund from the gateway, and returns the refund as it is known then. */
export async function submitRefund(
  context: PaymentContext,
  organizationId: string,
  id: string,
  partIds: string[],
) {
  await Promise.all(partIds.map(partId => submitPart(context, { organizationId, id: partId })))
  return readRefund(context.database.of(organizationId), id)
}

async function submitPart(
  context: PaymentContext,
  ref: { organizationId: string; id: string },
): Promise<void> {
  const { organizationId } = ref
  const part = await readPart(context.database.of(organizationId), ref.id)
  const gateway = await gatewayOf(context, organizationId, part.gateway_account_id)
  const answer = await requestPart(gateway, organizationId, part)
  // the answer is the current state of a new refund
  if (answer && 'refund' in answer) return recordPartResult(context, ref, answer)
  await settleRefund(context, ref, { ...(answer && { refusal: answer.refusal }) })
  if (answer) await importPanelRefunds(context, organizationId, part)
}

/**
 * The payment may have been refunded in the gateway's dashboard. A refund that this call misses is imported after the
 * gateway's notice.
 */
async function importPanelRefunds(
  context: PaymentContext,
  organizationId: string,
  part: RefundPartRow,
): Promise<void> {
  const account = { organizationId, accountId: part.gateway_account_id }
  await importRefunds(context, account, part.intent_id).catch((error: unknown) => {
    if (!isGatewayError(error)) throw error
    context.log?.warn(
      { ...account, refundPartId: part.id, err: error },
      'the gateway did not list its refunds',
    )
  })
}

/** Waits while another request works on a refund, for 25 seconds at most, and returns its latest state. */
export async function waitForRefund(
  context: PaymentContext,
  organizationId: string,
  refund: RefundRow,
): Promise<RefundRow> {
  const db = context.database.of(organizationId)
  const giveUpAt = monotonicMs() + waitSeconds * 1000
  const isRunning = (parts: RefundPartRow[]) =>
    monotonicMs() < giveUpAt &&
    parts.some(({ state, age_seconds }) => state === 'SENT' && age_seconds < waitSeconds)
  const look = () => listParts(db, refund.id)
  await pollWhile(await look(), isRunning, look)
  return readRefund(db, refund.id)
}
