import { disconnectGateway, readGatewayAccount } from '#contract/billing/gateway.ts'
import { fail } from '#platform/fail.ts'
import { changes, reads } from '#platform/http/operation.ts'
import { showAccount } from './gateway-account.json.ts'
import { disableAccount, findAccount, holdAccount } from './gateway-account.sql.ts'

export const read = reads(readGatewayAccount, async ({ db, world: { publicUrl } }) => {
  const account = (await findAccount(db)) ?? fail('GATEWAY_ACCOUNT_NOT_FOUND')
  return showAccount(account, db.organizationId, publicUrl)
})

/** Its keys stay: what was begun with them is finished with them. */
export const disconnect = changes(disconnectGateway, async ({ tx, world: { publicUrl }, audits }) => {
  const { id } = (await holdAccount(tx)) ?? fail('GATEWAY_ACCOUNT_NOT_FOUND')
  audits(id, ['status'])
  return showAccount(await disableAccount(tx, id), tx.organizationId, publicUrl)
})
