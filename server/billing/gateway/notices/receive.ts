import { receiveGatewayNotice } from '#contract/billing/gateway.ts'
import { GatewayMissing, isGatewayError } from '#platform/adapters/gateway.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { findAccountById } from '../account/gateway-account.sql.ts'
import { decryptAccount } from '../account-keys.ts'
import { noticeListeners } from './notice-listeners.ts'

/**
 * Receives a gateway notice and replies after it was processed: after a failure the gateway sends it again. An
 * unknown account gets the same reply as a wrong signature.
 */
export const receive = workflow(receiveGatewayNotice, async ({ params, services, headers, rawBody }) => {
  const { organizationId, accountId } = params
  const account = await findAccountById(services.database.of(organizationId), accountId)
  if (!account) fail('GATEWAY_NOTICE_NOT_VALID')
  const gateway = services.gateways.of(decryptAccount(services.cipher, organizationId, account))
  const notice = (await gateway.readNotice(rawBody, headers)) ?? fail('GATEWAY_NOTICE_NOT_VALID')
  for (const listener of noticeListeners) {
    try {
      await listener(services, { organizationId, accountId }, notice)
    } catch (error) {
      // the object does not exist in this account
      if (error instanceof GatewayMissing) continue
      if (isGatewayError(error)) fail('GATEWAY_NOT_REACHED')
      throw error
    }
  }
  return { received: true }
})
