import type { Gateway, Setup } from '#platform/adapters/gateway.ts'
import { type Till, transactFor } from '../charges/till.ts'
import { findUser } from '../external-users/external-user.sql.ts'
import { asked } from '../gateway/account/ask.ts'
import { type AccountRow, findAccountById } from '../gateway/account/gateway-account.sql.ts'
import { opened } from '../gateway/reach.ts'
import { type AuthorizationRow, setSetupOf } from './authorization.sql.ts'
import { customerOf, putCustomer } from './cards/saved-card.sql.ts'

/**
 * The setup with which the card of an authorization is given: the one that was begun, or a new one. Asked of the gateway
 * with keys of the authorization, so that it is one, however often it is asked for.
 */
export async function openSetup(
  till: Till,
  organizationId: string,
  authorization: AuthorizationRow,
): Promise<{ setup: Setup; account: AccountRow }> {
  const { id, gateway_account_id, setup_id } = authorization
  const account = (await findAccountById(till.database.of(organizationId), gateway_account_id))!
  const gateway = till.gateways.of(opened(till.cipher, organizationId, account))
  if (setup_id !== null) return { setup: await asked(gateway.readSetup(setup_id), 'userId'), account }
  const customerId = await customerFor(till, organizationId, gateway, authorization)
  const metadata = { organizationId, authorizationId: id }
  const setup = await asked(gateway.createSetup({ customerId, metadata }, `${id}:setup`), 'userId')
  await transactFor(till, organizationId, tx => setSetupOf(tx, id, setup.id))
  return { setup, account }
}

/** As the gateway calls the user, who is made known there when they are not. */
async function customerFor(
  till: Till,
  organizationId: string,
  gateway: Gateway,
  { id, application_id, external_user_id, gateway_account_id }: AuthorizationRow,
): Promise<string> {
  const db = till.database.of(organizationId)
  const known = await customerOf(db, [application_id, external_user_id], gateway_account_id)
  if (known !== undefined) return known
  const { name = null, email = null } = (await findUser(db, application_id, external_user_id)) ?? {}
  const metadata = { organizationId, applicationId: application_id, userId: external_user_id }
  const made = await asked(gateway.createCustomer({ name, email, metadata }, `${id}:customer`), 'userId')
  return transactFor(till, organizationId, async tx => {
    await putCustomer(tx, [application_id, external_user_id], gateway_account_id, made.id)
    return (await customerOf(tx, [application_id, external_user_id], gateway_account_id))!
  })
}
