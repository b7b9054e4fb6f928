import { GatewayRefused, GatewayUnknown } from '#platform/adapters/gateway.ts'
import type { PaymentContext } from '../../charges/payment-context.ts'
import { decryptAccount } from '../account-keys.ts'
import {
  type AccountRow,
  claimAccountsToPoll,
  findAccountById,
  setAccountState,
} from './gateway-account.sql.ts'

/** Poll intervals: an account that is not ready every ten minutes, a ready one every hour. */
const intervals = { pendingSeconds: 600, seconds: 3_600 }
const batchSize = 20

/** Updates the state of accounts that are due for a poll. Returns their number. */
export async function pollGatewayAccounts(context: PaymentContext): Promise<number> {
  const due = await claimAccountsToPoll(context.database, batchSize, intervals)
  for (const account of due) {
    await refreshAccount(context, account.organization_id, account).catch(error =>
      context.log?.warn({ accountId: account.id, err: error }, 'a gateway account could not be polled'),
    )
  }
  return due.length
}

/** Updates the state of one account after a notice. */
export async function pollGatewayAccount(
  context: PaymentContext,
  organizationId: string,
  id: string,
): Promise<void> {
  const account = await findAccountById(context.database.of(organizationId), id)
  if (account && account.status !== 'DISABLED') await refreshAccount(context, organizationId, account)
}

/** No answer changes nothing; a refused key makes the account PENDING. */
async function refreshAccount(
  { database, gateways, cipher }: PaymentContext,
  organizationId: string,
  account: AccountRow,
) {
  const state = await gateways
    .of(decryptAccount(cipher, organizationId, account))
    .readAccount()
    .catch((error: unknown) => {
      if (error instanceof GatewayRefused) return { isReady: false, currencies: [] }
      if (error instanceof GatewayUnknown) return undefined
      throw error
    })
  if (!state) return
  const { isReady, currencies } = state
  await database.transact(organizationId, tx =>
    setAccountState(tx, account.id, { status: isReady ? 'READY' : 'PENDING', currencies }),
  )
}
