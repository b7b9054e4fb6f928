import type { GatewayNotification } from '#platform/adapters/gateway/port.ts'
import { findAttempt, findByIntent } from './charge.sql.ts'
import { gatewayOf, type PaymentContext } from './payment-context.ts'
import { settleAttempt } from './settle.ts'

/**
 * Settles the attempt that a gateway notice is about. The content of the notice is not trusted: it may be old,
 * repeated or lost. A notice about an unknown intent is ignored, unless the intent belongs to an attempt that was
 * given up before its id was stored: that intent is cancelled.
 */
export async function settleOnNotice(
  context: PaymentContext,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  { about, objectId, intentId }: Pick<GatewayNotification, 'about' | 'objectId' | 'intentId'>,
): Promise<void> {
  const intent = about === 'intent' ? objectId : intentId
  if (intent === null) return
  const db = context.database.of(organizationId)
  const attempt = await findByIntent(db, accountId, intent)
  if (attempt) {
    await settleAttempt(context, { organizationId, id: attempt.id })
    return
  }
  const gateway = await gatewayOf(context, organizationId, accountId)
  const { metadata, status } = await gateway.readIntent(intent)
  const givenUp = metadata.attemptId === undefined ? undefined : await findAttempt(db, metadata.attemptId)
  if (givenUp?.state === 'FAILED' && status !== 'canceled')
    await gateway.cancelIntent(intent, `${givenUp.id}:cancel:0`)
}
