import type { CriticalScope } from '#contract/permissions.ts'
import type { Tx } from '#platform/data/db.ts'
import { queueMail } from '#platform/jobs/mail-queue.ts'
import type { AccessServices } from '#platform/services.ts'
import { recordAccessChange } from '#server/identity/index.ts'
import type { ApplicationRow } from '../applications/application.access.ts'
import { sortScopes } from '../applications/application.rules.ts'
import { setApplication } from '../applications/application.sql.ts'
import { type CriticalScopeRow, criticalScopesOf, insertCriticalScope } from './critical-scope.sql.ts'
import { scopeRequestMail } from './scope-request.mail.ts'
import { markScopeRequestGranted } from './scope-request.sql.ts'

type Grant = { scope: CriticalScope; reason: string; operatorId: string }

/**
 * Grants a critical scope to a locked application, and marks the open request for it as granted (SCP-5, SCP-10). `isNew` is
 * false if the application has the scope already, whose grant then stays as it is.
 */
export async function grantScope(
  tx: Tx,
  services: AccessServices,
  application: ApplicationRow,
  { scope, reason, operatorId }: Grant,
): Promise<{ row: CriticalScopeRow; isNew: boolean }> {
  const { id } = application
  const [grants, requestId] = await Promise.all([
    criticalScopesOf(tx, id),
    markScopeRequestGranted(tx, id, { scope, operatorId, answer: reason }),
  ])
  if (requestId !== undefined) await queueMail(tx, scopeRequestMail, { requestId })
  const existing = grants.find(grant => grant.scope === scope)
  if (existing) return { row: existing, isNew: false }
  const row = await insertCriticalScope(tx, id, { scope, grantedBy: operatorId, reason })
  await setApplication(tx, id, { ...application, scopes: sortScopes([...application.scopes, scope]) })
  await recordAccessChange(tx, services, id)
  return { row, isNew: true }
}
