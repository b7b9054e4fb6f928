import { disconnectGateway, readGatewayAccount } from '#contract/billing/gateway.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { showAccount } from './gateway-account.json.ts'
import { disableAccount, findAccount, lockAccount } from './gateway-account.sql.ts'

export const read = query(readGatewayAccount, async ({ db, services: { publicUrl } }) => {
  const account = (await findAccount(db)) ?? fail('GATEWAY_ACCOUNT_NOT_FOUND')
  return showAccount(account, db.organizationId, publicUrl)
})

/** The keys stay stored, so that open payments and refunds can be finished. */
export const disconnect = command(disconnectGateway, async ({ tx, services: { publicUrl }, audit }) => {
  const { id } = (await lockAccount(tx)) ?? fail('GATEWAY_ACCOUNT_NOT_FOUND')
  audit(id, ['status'])
  return showAccount(await disableAccount(tx, id), tx.organizationId, publicUrl)
})
