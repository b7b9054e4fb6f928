import type { Notice } from '#platform/adapters/gateway/port.ts'
import { findAttempt, findByIntent } from './charge.sql.ts'
import { settle } from './settle.ts'
import { gatewayOf, type Till } from './till.ts'

/**
 * Looks at what a notice of the gateway is about. What the notice says of it is not believed: it may be old, come twice
 * or never. Notices of intents that no attempt knows are passed over, but for one that was made for an attempt which was
 * given up before it was told of it: that is cancelled.
 */
export async function settleByHint(
  till: Till,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  { about, objectId, intentId }: Pick<Notice, 'about' | 'objectId' | 'intentId'>,
): Promise<void> {
  const intent = about === 'intent' ? objectId : intentId
  if (intent === null) return
  const db = till.database.of(organizationId)
  const attempt = await findByIntent(db, accountId, intent)
  if (attempt) {
    await settle(till, { organizationId, id: attempt.id })
    return
  }
  const gateway = await gatewayOf(till, organizationId, accountId)
  const { metadata, status } = await gateway.readIntent(intent)
  const givenUp = metadata.attemptId === undefined ? undefined : await findAttempt(db, metadata.attemptId)
  if (givenUp?.state === 'FAILED' && status !== 'canceled')
    await gateway.cancelIntent(intent, `${givenUp.id}:cancel:0`)
}
