import { GatewayMissing, isOfGateway } from '#platform/adapters/gateway.ts'
import { gatewayOf, type Till } from '../../charges/till.ts'
import { openRecovery, type Recovery, recoverOnce } from '../../recovery/recover.ts'
import { lookAtCard, unusedCard } from './saved-card.sql.ts'

const [minute, hour, day] = [60, 3_600, 86_400]
const waits = [minute, 5 * minute, hour]

/**
 * Has the gateways take away the cards that no authorization allows to charge any more. One that does not answer is asked
 * again, for as long as it takes.
 */
export function openCardRecovery(till: Till): Recovery {
  return openRecovery(till, 'payment_method', place => detach(till, place))
}

/** Does so once, and answers how many cards it asked for. */
export function detachCards(till: Till): Promise<number> {
  return recoverOnce(openCardRecovery(till))
}

async function detach(
  till: Till,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  const card = await unusedCard(till.database.of(organizationId), id)
  const gateway = await gatewayOf(till, organizationId, card.gateway_account_id)
  // a key answers a failure again and again, and each look asks anew
  const key = `${id}:detach:${card.looks}`
  const isAway = await gateway.detachMethod(card.gateway_method_id, key).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GatewayMissing) return true
      if (!isOfGateway(error)) throw error
      till.log?.warn({ organizationId, cardId: id, err: error }, 'a card could not be detached')
      return false
    },
  )
  const after = isAway ? null : (waits[card.looks - 1] ?? day)
  await till.database.transact(organizationId, tx => lookAtCard(tx, id, after))
}
