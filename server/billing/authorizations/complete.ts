import type { Notice } from '#platform/outside/gateway.ts'
import { gatewayOf, type Till, transactFor } from '../charges/till.ts'
import { putCard } from './cards/store.ts'
import { type AuthorizationRow, findBySetup, lockAuthorizationById, setActive } from './store.ts'

/**
 * Looks whether the card of an authorization that waits for one was given, and makes it ACTIVE then. However often and by
 * whomever it is looked at, that happens once. Answers the authorization as it is.
 */
export async function completeSetup(
  till: Till,
  organizationId: string,
  seen: AuthorizationRow,
): Promise<AuthorizationRow> {
  if (seen.status !== 'PENDING' || seen.setup_id === null) return seen
  const gateway = await gatewayOf(till, organizationId, seen.gateway_account_id)
  const { methodId } = await gateway.readSetup(seen.setup_id)
  if (methodId === null) return seen
  const card = await gateway.readMethod(methodId)
  return transactFor(till, organizationId, async tx => {
    const authorization = (await lockAuthorizationById(tx, seen.id))!
    if (authorization.status !== 'PENDING') return authorization
    const { application_id, external_user_id, gateway_account_id } = authorization
    const cardId = await putCard(tx, [application_id, external_user_id], gateway_account_id, card)
    return setActive(tx, authorization.id, cardId)
  })
}

/** The same because of a notice of the gateway. Setups that nobody here asked for are passed over. */
export async function completeByHint(
  till: Till,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  { about, objectId }: Notice,
): Promise<void> {
  if (about !== 'setup') return
  const seen = await findBySetup(till.database.of(organizationId), accountId, objectId)
  if (seen) await completeSetup(till, organizationId, seen)
}
