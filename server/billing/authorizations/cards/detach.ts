import { GatewayMissing, isGatewayError } from '#platform/adapters/gateway.ts'
import { gatewayOf, type PaymentContext } from '../../charges/payment-context.ts'
import { openPoller, type Poller, pollOnce } from '../../polling/poller.ts'
import { findUnusedCard, scheduleDetach } from './saved-card.sql.ts'

const [minute, hour, day] = [60, 3_600, 86_400]
const pollIntervals = [minute, 5 * minute, hour]

/**
 * Detaches cards at the gateway that no authorization allows to charge any more. A gateway that does not answer is
 * asked again, without limit.
 */
export function openCardPoller(context: PaymentContext): Poller {
  return openPoller(context, 'payment_method', place => detach(context, place))
}

/** Runs the poller once, and returns the number of cards. */
export function detachCards(context: PaymentContext): Promise<number> {
  return pollOnce(openCardPoller(context))
}

async function detach(
  context: PaymentContext,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  const card = await findUnusedCard(context.database.of(organizationId), id)
  const gateway = await gatewayOf(context, organizationId, card.gateway_account_id)
  // the gateway repeats the answer to a key, failures included, so each poll uses a new one
  const key = `${id}:detach:${card.poll_count}`
  const isAway = await gateway.detachMethod(card.gateway_method_id, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GatewayMissing) return true
      if (!isGatewayError(error)) throw error
      context.log?.warn({ organizationId, cardId: id, err: error }, 'a card could not be detached')
      return false
    },
  )
  const after = isAway ? null : (pollIntervals[card.poll_count - 1] ?? day)
  await context.database.transact(organizationId, tx => scheduleDetach(tx, id, after))
}
