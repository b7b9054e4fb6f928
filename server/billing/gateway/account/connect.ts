import { connectGateway } from '#contract/billing/gateway.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { hideKey, opened } from '../reach.ts'
import { asked } from './ask.ts'
import { showAccount } from './gateway-account.json.ts'
import { isTestKey, keysAfter } from './gateway-account.rules.ts'
import {
  type AccountRow,
  disableAccount,
  findAccount,
  holdAccount,
  lockDisabledAccount,
  putAccount,
} from './gateway-account.sql.ts'

/**
 * The gateway is asked before anything is written: keys that open nothing are not kept. An account that was connected
 * before keeps its id, and with it the saved cards, the authorizations and the payments that belong to it.
 */
export const connect = workflow(connectGateway, async ({ db, services, caller, body, transact }) => {
  const { organizationId } = caller
  const { cipher, gateways, publicUrl } = services
  const before = await findAccount(db)
  const known = before && {
    ...opened(cipher, organizationId, before),
    publishableKey: before.publishable_key,
  }
  const { adapter } = body
  const given = keysAfter(known, body)
  const account = { organizationId, id: before?.id ?? newId(), adapter, ...given }
  const state = await asked(gateways.of(account).readAccount(), 'secretKey')
  // an account has the same name in both of its modes, and nothing else in common
  const isTest = isTestKey(given.secretKey)
  const isThat = (one: AccountRow | undefined) =>
    one?.adapter === adapter && one.gateway_id === state.id && one.is_test === isTest
  // keys of one account are of no use to another
  const keys = isThat(before) ? given : keysAfter(undefined, body)
  const hide = (key: string | null) => key && hideKey(cipher, organizationId, key)
  const connected = await transact(
    async tx => {
      const current = await holdAccount(tx)
      if (current && !isThat(current)) await disableAccount(tx, current.id)
      const identity = { adapter, gateway_id: state.id, is_test: isTest }
      const same = isThat(current) ? current : await lockDisabledAccount(tx, identity)
      return putAccount(tx, {
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
