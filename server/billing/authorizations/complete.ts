import type { Gateway, GatewayNotification } from '#platform/adapters/gateway.ts'
import type { Db } from '#platform/data/db.ts'
import { gatewayOf, type PaymentContext, transactAsSystem } from '../charges/payment-context.ts'
import {
  type AuthorizationRow,
  findAuthorization,
  lockAuthorizationById,
  setActive,
} from './authorization.sql.ts'
import { endUnusedCard, readCustomer, upsertCard } from './cards/saved-card.sql.ts'

/**
 * Checks whether the card of a pending authorization was given, and activates the authorization, once. A card that
 * was given for a revoked authorization is detached again. Returns the authorization as it is.
 */
export async function completeSetup(
  context: PaymentContext,
  organizationId: string,
  stored: AuthorizationRow,
): Promise<AuthorizationRow> {
  if (stored.payment_method_id !== null || stored.setup_id === null) return stored
  const gateway = await gatewayOf(context, organizationId, stored.gateway_account_id)
  const methodId = await findSetupMethod(context.database.of(organizationId), gateway, stored)
  if (methodId === undefined) return stored
  const card = await gateway.readMethod(methodId)
  return transactAsSystem(context, organizationId, async tx => {
    const authorization = await lockAuthorizationById(tx, stored.id)
    if (authorization.status === 'ACTIVE') return authorization
    const { application_id, external_user_id, gateway_account_id } = authorization
    const cardId = await upsertCard(
      tx,
      { applicationId: application_id, userId: external_user_id },
      gateway_account_id,
      card,
    )
    // the card was detached with another authorization: this one waits for a new card
    if (cardId === undefined) return authorization
    if (authorization.status === 'PENDING') return setActive(tx, authorization.id, cardId)
    await endUnusedCard(tx, cardId)
    return authorization
  })
}

/** The card that was given for an authorization, on the gateway's page or in a form of the application. */
async function findSetupMethod(
  db: Db,
  gateway: Gateway,
  { id, application_id, external_user_id, gateway_account_id }: AuthorizationRow,
): Promise<string | undefined> {
  const customerId = await readCustomer(
    db,
    { applicationId: application_id, userId: external_user_id },
    gateway_account_id,
  )
  const setups = await gateway.listSetupsOf(customerId)
  const setup = setups.find(({ methodId, metadata }) => methodId !== null && metadata.authorizationId === id)
  return setup?.methodId ?? undefined
}

/** The same after a notice. Setups that belong to no authorization are ignored. */
export async function completeSetupOnNotice(
  context: PaymentContext,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  { about, objectId }: GatewayNotification,
): Promise<void> {
  if (about !== 'setup') return
  const gateway = await gatewayOf(context, organizationId, accountId)
  const { authorizationId } = (await gateway.readSetup(objectId)).metadata
  if (authorizationId === undefined) return
  const stored = await findAuthorization(context.database.of(organizationId), authorizationId)
  if (stored) await completeSetup(context, organizationId, stored)
}
