import {
  type Failure,
  type Gateway,
  GatewayMissing,
  type GatewayRefund,
  GatewayRefused,
  GatewayUnknown,
  isGatewayError,
} from '#platform/adapters/gateway.ts'
import type { RefundPartRow } from './refund.row.ts'

/**
 * The result of a request to the gateway: the refund, a definite refusal, or undefined when only a later read can
 * tell.
 */
export type PartAnswer = { refund: GatewayRefund } | { refusal: Failure } | undefined

/**
 * Requests the refund of one part from the gateway. A repeated request is identical and has the same key, so the
 * gateway refunds once for as long as it remembers the key.
 */
export async function requestPart(
  gateway: Gateway,
  organizationId: string,
  part: RefundPartRow,
): Promise<PartAnswer> {
  const { id, intent_id: intentId, amount_cents: amountCents, reason } = part
  const ids = { organizationId, invoiceId: part.invoice_id, refundId: part.refund_id }
  const metadata = { ...ids, refundPartId: id }
  try {
    return {
      refund: await gateway.createRefund({ intentId, amountCents, reason, metadata }, `${id}:create`),
    }
  } catch (error) {
    if (error instanceof GatewayRefused) return { refusal: error.failure }
    if (error instanceof GatewayMissing)
      return { refusal: { code: 'resource_missing', declineCode: null, message: error.message } }
    if (error instanceof GatewayUnknown) return undefined
    throw error
  }
}

/** The refund of a part at the gateway: undefined when there is none, null when the gateway does not answer. */
export async function findGatewayRefund(
  gateway: Gateway,
  part: RefundPartRow,
): Promise<GatewayRefund | undefined | null> {
  const { gateway_refund_id: refundId } = part
  try {
    if (refundId !== null) return await gateway.readRefund(refundId)
    const refunds = await gateway.listRefundsOf(part.intent_id)
    return refunds.find(({ metadata }) => metadata.refundPartId === part.id)
  } catch (error) {
    // an intent that does not exist has no refunds
    if (error instanceof GatewayMissing && refundId === null) return undefined
    if (isGatewayError(error)) return null
    throw error
  }
}
