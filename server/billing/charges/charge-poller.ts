import { openPoller, type Poller, pollOnce } from '../polling/poller.ts'
import type { PaymentContext } from './payment-context.ts'
import { failUnsentAttempt, settleAttempt } from './settle.ts'

/**
 * Settles attempts that no request works on, or whose result takes long. An attempt that never reached the gateway
 * fails; a request that got no answer is cancelled at the gateway unless it succeeded.
 */
export function openChargePoller(context: PaymentContext): Poller {
  return openPoller(context, 'charge_attempt', (ref, state) =>
    state === 'CREATED' ? failUnsentAttempt(context, ref) : settleAttempt(context, ref, { isPolled: true }),
  )
}

export function pollCharges(context: PaymentContext): Promise<number> {
  return pollOnce(openChargePoller(context))
}
