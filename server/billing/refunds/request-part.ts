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

/** What is known of a refund after the gateway was asked: it is there, it was refused, or only looking again will tell. */
export type PartAnswer = { refund: GatewayRefund } | { refusal: Failure } | undefined

/**
 * Asks the gateway to give back a part. Whenever this is asked again it is the same request with the same key, so that for
 * as long as the gateway knows its keys it gives back once.
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

/** The refund of a part as the gateway has it now: undefined when it has none, null when it does not say. */
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
    // of an intent that is not there nothing was given back
    if (error instanceof GatewayMissing && refundId === null) return undefined
    if (isGatewayError(error)) return null
    throw error
  }
}
