import { receiveGatewayNotice } from '#contract/billing/gateway.ts'
import { GatewayMissing, isOfGateway } from '#platform/adapters/gateway.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { findAccountById } from '../account/gateway-account.sql.ts'
import { opened } from '../reach.ts'
import { hints } from './hints.ts'

/**
 * What a gateway tells. It is answered when it was looked into: when that fails the gateway sends it again. An account that
 * is not there is answered like a signature that is wrong.
 */
export const receive = workflow(receiveGatewayNotice, async ({ params, services, headers, rawBody }) => {
  const { organizationId, accountId } = params
  const account = await findAccountById(services.database.of(organizationId), accountId)
  if (!account) fail('GATEWAY_NOTICE_NOT_VALID')
  const gateway = services.gateways.of(opened(services.cipher, organizationId, account))
  const notice = (await gateway.readNotice(rawBody, headers)) ?? fail('GATEWAY_NOTICE_NOT_VALID')
  for (const hint of hints) {
    try {
      await hint(services, { organizationId, accountId }, notice)
    } catch (error) {
      // of something that the account does not have there is nothing to look into
      if (error instanceof GatewayMissing) continue
      if (isOfGateway(error)) fail('GATEWAY_NOT_REACHED')
      throw error
    }
  }
  return { received: true }
})
