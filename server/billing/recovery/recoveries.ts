import { openCardRecovery } from '../authorizations/cards/detach.ts'
import { openChargeRecovery } from '../charges/recovery.ts'
import type { Till } from '../charges/till.ts'
import { openRefundRecovery } from '../refunds/recovery.ts'
import type { Recovery } from './recover.ts'

/** What a worker looks after at the gateways. Each has places of its own, so that none waits for another. */
export function openRecoveries(till: Till): Recovery[] {
  return [openChargeRecovery(till), openRefundRecovery(till), openCardRecovery(till)]
}
