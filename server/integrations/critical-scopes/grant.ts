import { grantCriticalScope } from '#contract/integrations/critical-scopes.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { workflow } from '#platform/http/operation.ts'
import { accessChanged, transactAcross } from '#server/identity/index.ts'
import { lockApplication } from '../applications/application.access.ts'
import { inOrder } from '../applications/application.rules.ts'
import { setApplication } from '../applications/application.sql.ts'
import { criticalScopesOf, insertCriticalScope } from './critical-scope.sql.ts'

/** SCP-5: an operator gives it in any organization, and the audit log of that organization records it. */
export const grant = workflow(grantCriticalScope, ({ caller, origin, params, body, services }) => {
  const { applicationId } = params
  const { scope } = body
  const reason = body.reason.trim()
  if (reason.length < limits.criticalScopeReasonMin) refuse()
  return transactAcross(
    { caller, origin, services },
    'operator',
    grantCriticalScope,
    async (wide, record) => {
      const tx = wide.of(params.id)
      const application = await lockApplication(tx, applicationId)
      const there = (await criticalScopesOf(tx, applicationId)).find(one => one.scope === scope)
      const given =
        there ?? (await insertCriticalScope(tx, applicationId, { scope, grantedBy: caller.personId, reason }))
      if (!there) {
        await setApplication(tx, applicationId, {
          ...application,
          scopes: inOrder([...application.scopes, scope]),
        })
        await accessChanged(tx, services, applicationId)
      }
      await record(tx, { subject: applicationId, changed: there ? [] : ['scopes'] })
      return { applicationId, scope, reason: given.reason, grantedAt: given.granted_at }
    },
  )
})

function refuse(): never {
  const message = `must have ${limits.criticalScopeReasonMin} characters or more besides spaces around it`
  fail('VALIDATION_ERROR', { details: [{ path: 'reason', code: 'minLength', message }] })
}
