import { openRecovery, type Recovery, recoverOnce } from '../recovery/recover.ts'
import { endUnmade, settle } from './settle.ts'
import type { Till } from './till.ts'

/**
 * Brings charges that nobody is at work on, or whose outcome takes its time, in step with the gateway. What was begun and
 * never came to the gateway has failed; what was asked for and never answered is cancelled there, unless it went through.
 */
export function openChargeRecovery(till: Till): Recovery {
  return openRecovery(till, 'charge_attempt', (place, state) =>
    state === 'CREATED' ? endUnmade(till, place) : settle(till, place, { isLate: true }),
  )
}

export function recoverCharges(till: Till): Promise<number> {
  return recoverOnce(openChargeRecovery(till))
}
