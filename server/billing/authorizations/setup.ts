import type { Gateway, Setup } from '#platform/adapters/gateway.ts'
import { type PaymentContext, transactAsSystem } from '../charges/payment-context.ts'
import { findUser } from '../external-users/external-user.sql.ts'
import { type AccountRow, readAccount } from '../gateway/account/gateway-account.sql.ts'
import { refusingGatewayErrors } from '../gateway/account/gateway-errors.ts'
import { decryptAccount } from '../gateway/account-keys.ts'
import { type AuthorizationRow, setAuthorizationSetup } from './authorization.sql.ts'
import { findCustomer, insertCustomer, readCustomer } from './cards/saved-card.sql.ts'

/**
 * The gateway setup that collects the card of an authorization: the existing one, or a new one. The request has a
 * key of the authorization, so that a repeated call creates no second setup.
 */
export async function openSetup(
  context: PaymentContext,
  organizationId: string,
  authorization: AuthorizationRow,
): Promise<{ setup: Setup; account: AccountRow }> {
  const { id, gateway_account_id, setup_id } = authorization
  const account = await readAccount(context.database.of(organizationId), gateway_account_id)
  const gateway = context.gateways.of(decryptAccount(context.cipher, organizationId, account))
  if (setup_id !== null)
    return { setup: await refusingGatewayErrors(gateway.readSetup(setup_id), 'userId'), account }
  const customerId = await findOrCreateCustomer(context, organizationId, gateway, authorization)
  const metadata = { organizationId, authorizationId: id }
  const setup = await refusingGatewayErrors(
    gateway.createSetup({ customerId, metadata }, `${id}:setup`),
    'userId',
  )
  await transactAsSystem(context, organizationId, tx => setAuthorizationSetup(tx, id, setup.id))
  return { setup, account }
}

/** The customer id of a user at the gateway, created if missing. */
async function findOrCreateCustomer(
  context: PaymentContext,
  organizationId: string,
  gateway: Gateway,
  { id, application_id, external_user_id, gateway_account_id }: AuthorizationRow,
): Promise<string> {
  const db = context.database.of(organizationId)
  const known = await findCustomer(
    db,
    { applicationId: application_id, userId: external_user_id },
    gateway_account_id,
  )
  if (known !== undefined) return known
  const { name = null, email = null } = (await findUser(db, application_id, external_user_id)) ?? {}
  const metadata = { organizationId, applicationId: application_id, userId: external_user_id }
  const made = await refusingGatewayErrors(
    gateway.createCustomer({ name, email, metadata }, `${id}:customer`),
    'userId',
  )
  return transactAsSystem(context, organizationId, async tx => {
    await insertCustomer(
      tx,
      { applicationId: application_id, userId: external_user_id },
      gateway_account_id,
      made.id,
    )
    return readCustomer(tx, { applicationId: application_id, userId: external_user_id }, gateway_account_id)
  })
}
