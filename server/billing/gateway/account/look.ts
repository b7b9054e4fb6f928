import { GatewayRefused, GatewayUnknown } from '#platform/adapters/gateway.ts'
import type { Till } from '../../charges/till.ts'
import { opened } from '../reach.ts'
import {
  type AccountRow,
  findAccountById,
  setAccountState,
  takeAccountsToLook,
} from './gateway-account.sql.ts'

/** An account that is not ready is looked at again after ten minutes, one that is after an hour. */
const every = { pendingSeconds: 600, seconds: 3_600 }
const most = 20

/** Asks gateways how the accounts are that were not looked at for long. Answers how many it looked at. */
export async function lookAtAccounts(till: Till): Promise<number> {
  const due = await takeAccountsToLook(till.database, most, every)
  for (const account of due) {
    await look(till, account.organization_id, account).catch(error =>
      till.log?.warn({ accountId: account.id, err: error }, 'a gateway account could not be looked at'),
    )
  }
  return due.length
}

/** The same of one account, because of a notice. */
export async function lookAtAccount(till: Till, organizationId: string, id: string): Promise<void> {
  const account = await findAccountById(till.database.of(organizationId), id)
  if (account && account.status !== 'DISABLED') await look(till, organizationId, account)
}

/** A gateway that does not answer says nothing of the account; one that does not know its key collects nothing. */
async function look({ database, gateways, cipher }: Till, organizationId: string, account: AccountRow) {
  const state = await gateways
    .of(opened(cipher, organizationId, account))
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
