import {
  listAuthorizations,
  readAuthorization,
  revokeAuthorization,
} from '#contract/billing/authorizations.ts'
import { limits } from '#contract/limits.ts'
import { isGatewayError } from '#platform/adapters/gateway.ts'
import { command, query, workflow } from '#platform/http/operation.ts'
import { numberedPageOf, paginated } from '#platform/http/pagination.ts'
import { authorizationFor, lockAuthorization } from './authorization.access.ts'
import { showAuthorization } from './authorization.json.ts'
import { applicationOf } from './authorization.rules.ts'
import { listAuthorizationsOfUser, setRevoked } from './authorization.sql.ts'
import { endUnusedCard } from './cards/saved-card.sql.ts'
import { completeSetup } from './complete.ts'

export const list = query(listAuthorizations, async ({ db, caller, query }) => {
  const page = numberedPageOf(query)
  const user = { applicationId: applicationOf(caller, query.applicationId), userId: query.userId }
  const { rows, total } = await listAuthorizationsOfUser(db, user, page)
  return paginated(rows.map(showAuthorization), { ...page, total, pages: limits.invoicePages })
})

/** Reading checks whether the card was given. Without an answer from the gateway it shows the stored state. */
export const read = workflow(readAuthorization, async ({ db, caller, services, params, query }) => {
  const stored = await authorizationFor(db, caller, params.id, query.userId)
  const now = await completeSetup(services, caller.organizationId, stored).catch((error: unknown) => {
    if (isGatewayError(error)) return stored
    throw error
  })
  return showAuthorization(now)
})

/** A repeated revocation changes nothing. */
export const revoke = command(revokeAuthorization, async ({ tx, caller, params, body, audit }) => {
  const before = await lockAuthorization(tx, caller, params.id, body.userId)
  audit(before.id, before.status === 'REVOKED' ? [] : ['status'])
  if (before.status === 'REVOKED') return showAuthorization(before)
  const revoked = await setRevoked(tx, before.id)
  if (before.payment_method_id !== null) await endUnusedCard(tx, before.payment_method_id)
  return showAuthorization(revoked)
})
