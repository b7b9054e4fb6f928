import { disconnectGateway, readGatewayAccount } from '#contract/billing/gateway.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { showAccount } from './gateway-account.json.ts'
import { disableAccount, findAccount, holdAccount } from './gateway-account.sql.ts'

export const read = query(readGatewayAccount, async ({ db, services: { publicUrl } }) => {
  const account = (await findAccount(db)) ?? fail('GATEWAY_ACCOUNT_NOT_FOUND')
  return showAccount(account, db.organizationId, publicUrl)
})

/** Its keys stay: what was begun with them is finished with them. */
export const disconnect = command(disconnectGateway, async ({ tx, services: { publicUrl }, audit }) => {
  const { id } = (await holdAccount(tx)) ?? fail('GATEWAY_ACCOUNT_NOT_FOUND')
  audit(id, ['status'])
  return showAccount(await disableAccount(tx, id), tx.organizationId, publicUrl)
})
