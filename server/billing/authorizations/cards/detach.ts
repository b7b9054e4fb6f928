import { GatewayMissing, isGatewayError } from '#platform/adapters/gateway.ts'
import { gatewayOf, type PaymentContext } from '../../charges/payment-context.ts'
import { openPoller, type Poller, pollOnce } from '../../polling/poller.ts'
import { findUnusedCard, scheduleDetach } from './saved-card.sql.ts'

const [minute, hour, day] = [60, 3_600, 86_400]
const pollIntervals = [minute, 5 * minute, hour]

/**
 * Has the gateways take away the cards that no authorization allows to charge any more. One that does not answer is asked
 * again, for as long as it takes.
 */
export function openCardPoller(context: PaymentContext): Poller {
  return openPoller(context, 'payment_method', place => detach(context, place))
}

/** Does so once, and answers how many cards it asked for. */
export function detachCards(context: PaymentContext): Promise<number> {
  return pollOnce(openCardPoller(context))
}

async function detach(
  context: PaymentContext,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  const card = await findUnusedCard(context.database.of(organizationId), id)
  const gateway = await gatewayOf(context, organizationId, card.gateway_account_id)
  // a key answers a failure again and again, and each look asks anew
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
