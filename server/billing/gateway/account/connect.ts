import { connectGateway } from '#contract/billing/gateway.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { decryptAccount, encryptKey } from '../account-keys.ts'
import { showAccount } from './gateway-account.json.ts'
import { isTestKey, mergeKeys } from './gateway-account.rules.ts'
import {
  type AccountRow,
  disableAccount,
  findAccount,
  lockAccount,
  lockDisabledAccount,
  upsertAccount,
} from './gateway-account.sql.ts'
import { refusingGatewayErrors } from './gateway-errors.ts'

/**
 * Reads the account from the gateway before anything is written, so that invalid keys are not stored. An account
 * that was connected before keeps its id, and with it its saved cards, authorizations and payments.
 */
export const connect = workflow(connectGateway, async ({ db, services, caller, body, transact }) => {
  const { organizationId } = caller
  const { cipher, gateways, publicUrl } = services
  const before = await findAccount(db)
  const known = before && {
    ...decryptAccount(cipher, organizationId, before),
    publishableKey: before.publishable_key,
  }
  const { adapter } = body
  const merged = mergeKeys(known, body)
  const account = { organizationId, id: before?.id ?? newId(), adapter, ...merged }
  const state = await refusingGatewayErrors(gateways.of(account).readAccount(), 'secretKey')
  // an account has the same id in test and live mode, but shares nothing between them
  const isTest = isTestKey(merged.secretKey)
  const isSameAccount = (one: AccountRow | undefined) =>
    one?.adapter === adapter && one.gateway_id === state.id && one.is_test === isTest
  // the keys of one account do not open another
  const keys = isSameAccount(before) ? merged : mergeKeys(undefined, body)
  const hide = (key: string | null) => key && encryptKey(cipher, organizationId, key)
  const connected = await transact(
    async tx => {
      const current = await lockAccount(tx)
      if (current && !isSameAccount(current)) await disableAccount(tx, current.id)
      const identity = { adapter, gateway_id: state.id, is_test: isTest }
      const same = isSameAccount(current) ? current : await lockDisabledAccount(tx, identity)
      return upsertAccount(tx, {
        ...identity,
        id: same?.id ?? newId(),
        status: state.isReady ? 'READY' : 'PENDING',
        currencies: state.currencies,
        secret_key: hide(keys.secretKey),
        webhook_secret: hide(keys.webhookSecret),
        publishable_key: keys.publishableKey,
      })
    },
    { subject: organizationId, changed: Object.keys(body) },
  )
  return showAccount(connected, organizationId, publicUrl)
})
