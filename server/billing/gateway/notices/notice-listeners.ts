import type { GatewayNotification } from '#platform/adapters/gateway.ts'
import { completeSetupOnNotice } from '../../authorizations/complete.ts'
import type { PaymentContext } from '../../charges/payment-context.ts'
import { settleOnNotice } from '../../charges/settle-on-notice.ts'
import { bookDisputesOnNotice } from '../../refunds/disputes.ts'
import { importRefundsOnNotice } from '../../refunds/import-refunds.ts'
import { pollGatewayAccount } from '../account/poll-accounts.ts'

export type GatewayAccountRef = { organizationId: string; accountId: string }
/**
 * Handles the notices of one kind. It reads the object from the gateway, because the content of a notice is not
 * trusted.
 */
type NoticeListener = (
  context: PaymentContext,
  account: GatewayAccountRef,
  notice: GatewayNotification,
) => Promise<void>

/** Every listener sees every notice. */
export const noticeListeners: readonly NoticeListener[] = [
  settleOnNotice,
  completeSetupOnNotice,
  importRefundsOnNotice,
  bookDisputesOnNotice,
  async (context, { organizationId, accountId }, { about }) => {
    if (about === 'account') await pollGatewayAccount(context, organizationId, accountId)
  },
]
