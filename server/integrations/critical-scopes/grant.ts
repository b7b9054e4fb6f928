import { grantCriticalScope } from '#contract/integrations/critical-scopes.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { recordAccessChange, transactAcross } from '#server/identity/index.ts'
import { lockApplication } from '../applications/application.access.ts'
import { sortScopes } from '../applications/application.rules.ts'
import { setApplication } from '../applications/application.sql.ts'
import { criticalScopesOf, insertCriticalScope } from './critical-scope.sql.ts'

/** An operator can grant a critical scope in any organization, whose audit log records it (SCP-5). */
export const grant = workflow(grantCriticalScope, ({ caller, origin, params, body, services }) => {
  const { applicationId } = params
  const { scope } = body
  const reason = body.reason.trim()
  if (reason.length < limits.criticalScopeReasonMin) refuse()
  return transactAcross(
    { caller, origin, services },
    'operator',
    grantCriticalScope,
    async (crossTenant, record) => {
      const tx = crossTenant.of(params.id)
      const application = await lockApplication(tx, applicationId)
      const existing = (await criticalScopesOf(tx, applicationId)).find(one => one.scope === scope)
      const granted =
        existing ??
        (await insertCriticalScope(tx, applicationId, { scope, grantedBy: caller.personId, reason }))
      if (!existing) {
        await setApplication(tx, applicationId, {
          ...application,
          scopes: sortScopes([...application.scopes, scope]),
        })
        await recordAccessChange(tx, services, applicationId)
      }
      await record(tx, { subject: applicationId, changed: existing ? [] : ['scopes'] })
      return { applicationId, scope, reason: granted.reason, grantedAt: granted.granted_at }
    },
  )
})

function refuse(): never {
  const message = `must have at least ${limits.criticalScopeReasonMin} characters, not counting surrounding spaces`
  fail('VALIDATION_ERROR', { details: [{ path: 'reason', code: 'minLength', message }] })
}
