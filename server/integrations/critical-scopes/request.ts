import {
  listScopeRequests,
  requestCriticalScopes,
  withdrawScopeRequest,
} from '#contract/integrations/critical-scopes.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { required } from '#platform/required.ts'
import { applicationFor, lockApplication } from '../applications/application.access.ts'
import { showScopeRequest } from './scope-request.json.ts'
import {
  closeScopeRequest,
  insertScopeRequest,
  openlyRequestedScopes,
  pageOfScopeRequests,
  scopeRequestById,
} from './scope-request.sql.ts'

/** Creates one open request for each scope (SCP-8, SCP-9). */
export const request = command(requestCriticalScopes, async ({ tx, caller, params: { id }, body, audit }) => {
  const application = await lockApplication(tx, id)
  const granted = body.scopes.filter(scope => application.scopes.includes(scope))
  if (granted.length > 0) fail('SCOPE_ALREADY_GRANTED', { scopes: granted })
  const open = await openlyRequestedScopes(tx, id)
  const repeated = body.scopes.filter(scope => open.includes(scope))
  if (repeated.length > 0) fail('SCOPE_REQUEST_OPEN', { scopes: repeated })
  const ids = await Promise.all(
    body.scopes.map(scope =>
      insertScopeRequest(tx, { applicationId: id, scope, purpose: body.purpose, personId: caller.personId }),
    ),
  )
  const rows = await Promise.all(ids.map(requestId => scopeRequestById(tx, id, requestId)))
  audit(id, ['scopeRequests'])
  return { items: rows.map(row => showScopeRequest(required(row, 'a new scope request'))) }
})

export const list = query(listScopeRequests, async ({ db, params: { id }, query }) => {
  const { limit, offset } = pageOf(query)
  const [{ rows, total }] = await Promise.all([
    pageOfScopeRequests(db, id, query.status ?? null, { limit, offset }),
    applicationFor(db, id),
  ])
  return { items: rows.map(showScopeRequest), total, limit, offset }
})

/** Withdraws an open request, also that of another person (SCP-12). */
export const withdraw = command(withdrawScopeRequest, async ({ tx, params: { id, requestId }, audit }) => {
  await lockApplication(tx, id)
  if (!(await scopeRequestById(tx, id, requestId))) fail('SCOPE_REQUEST_NOT_FOUND')
  const isClosed = await closeScopeRequest(tx, requestId, {
    status: 'WITHDRAWN',
    operatorId: null,
    answer: null,
  })
  if (!isClosed) fail('SCOPE_REQUEST_CLOSED')
  audit(id, ['scopeRequests'])
  return showScopeRequest(required(await scopeRequestById(tx, id, requestId), 'a locked scope request'))
})
