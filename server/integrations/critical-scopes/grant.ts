import { grantCriticalScope } from '#contract/integrations/critical-scopes.ts'
import { workflow } from '#platform/http/operation.ts'
import { transactAcross } from '#server/identity/index.ts'
import { lockApplication } from '../applications/application.access.ts'
import { grantScope } from './grant-scope.ts'

/** An operator can grant a critical scope in any organization, whose audit log records it (SCP-5). */
export const grant = workflow(grantCriticalScope, ({ caller, origin, params, body, services }) => {
  const { applicationId } = params
  const { scope, reason } = body
  return transactAcross(
    { caller, origin, services },
    'operator',
    grantCriticalScope,
    async (crossTenant, record) => {
      const tx = crossTenant.of(params.id)
      const application = await lockApplication(tx, applicationId)
      const { row, isNew } = await grantScope(tx, services, application, {
        scope,
        reason,
        operatorId: caller.personId,
      })
      await record(tx, { subject: applicationId, changed: isNew ? ['scopes'] : [] })
      return { applicationId, scope, reason: row.reason, grantedAt: row.granted_at }
    },
  )
})
