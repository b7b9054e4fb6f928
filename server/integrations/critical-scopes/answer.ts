import {
  answerScopeRequest,
  listOperatedApplications,
  listOperatedScopeRequests,
} from '#contract/integrations/critical-scopes.ts'
import { fail } from '#platform/fail.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { queueMail } from '#platform/jobs/mail-queue.ts'
import { required } from '#platform/required.ts'
import { transactAcross } from '#server/identity/index.ts'
import { lockApplication } from '../applications/application.access.ts'
import { listPage } from '../applications/application.sql.ts'
import { grantScope } from './grant-scope.ts'
import { showOperatedScopeRequest } from './scope-request.json.ts'
import { scopeRequestMail } from './scope-request.mail.ts'
import {
  closeScopeRequest,
  operatedScopeRequest,
  organizationExists,
  pageOfOperatedScopeRequests,
} from './scope-request.sql.ts'

/** The applications of any organization, so that an operator finds the one that a grant is for (SCP-13). */
export const listApplications = query(
  listOperatedApplications,
  async ({ params, query, services: { database } }) => {
    const { limit, offset } = pageOf(query)
    const db = database.of(params.id)
    if (!(await organizationExists(db))) fail('ORGANIZATION_NOT_FOUND')
    const { rows, total } = await listPage(db, null, limit, offset)
    const items = rows.map(({ id, slug, name, status, scopes }) => ({ id, slug, name, status, scopes }))
    return { items, total, limit, offset }
  },
)

export const list = query(listOperatedScopeRequests, async ({ query, services: { database } }) => {
  const { limit, offset } = pageOf(query)
  const { status = 'OPEN' } = query
  const { rows, total } = await pageOfOperatedScopeRequests(database.crossTenant, status, { limit, offset })
  return { items: rows.map(showOperatedScopeRequest), total, limit, offset }
})

/** Grants or refuses a requested scope. The organization of the application records it (SCP-10, SCP-11). */
export const answer = workflow(answerScopeRequest, ({ caller, origin, params, body, services }) => {
  const { decision, reason } = body
  const operatorId = caller.personId
  return transactAcross(
    { caller, origin, services },
    'operator',
    answerScopeRequest,
    async (crossTenant, record) => {
      const { requestId } = params
      const before = (await operatedScopeRequest(crossTenant, requestId)) ?? fail('SCOPE_REQUEST_NOT_FOUND')
      if (before.status !== 'OPEN') fail('SCOPE_REQUEST_CLOSED')
      const tx = crossTenant.of(before.organization_id)
      const application = await lockApplication(tx, before.application_id)
      // somebody else may have closed it before the lock
      const current = required(await operatedScopeRequest(crossTenant, requestId), 'a locked scope request')
      if (current.status !== 'OPEN') fail('SCOPE_REQUEST_CLOSED')
      if (decision === 'GRANT') {
        await grantScope(tx, services, application, { scope: current.scope, reason, operatorId })
      } else {
        await closeScopeRequest(tx, requestId, { status: 'REFUSED', operatorId, answer: reason })
        await queueMail(tx, scopeRequestMail, { requestId })
      }
      const changed = decision === 'GRANT' ? ['scopes', 'scopeRequests'] : ['scopeRequests']
      await record(tx, { subject: application.id, changed })
      return showOperatedScopeRequest(
        required(await operatedScopeRequest(crossTenant, requestId), 'a locked scope request'),
      )
    },
  )
})
