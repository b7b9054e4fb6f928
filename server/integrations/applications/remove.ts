import { removeApplication } from '#contract/integrations/applications.ts'
import { command } from '#platform/http/operation.ts'
import { recordAccessChange } from '#server/identity/index.ts'
import { deleteCriticalScopesExcept } from '../critical-scopes/critical-scope.sql.ts'
import { withdrawScopeRequests } from '../critical-scopes/scope-request.sql.ts'
import { deleteKeys } from '../keys/api-key.sql.ts'
import { deleteWebhook } from '../webhooks/endpoint/endpoint.sql.ts'
import { lockApplication } from './application.access.ts'
import { setApplicationDeleted } from './application.sql.ts'

/** Deletes an application. The records of its actions stay. */
export const remove = command(removeApplication, async ({ tx, caller, params: { id }, services, audit }) => {
  await lockApplication(tx, id)
  await Promise.all([
    setApplicationDeleted(tx, id),
    deleteKeys(tx, id),
    deleteWebhook(tx, id),
    deleteCriticalScopesExcept(tx, id, []),
    withdrawScopeRequests(tx, id),
    recordAccessChange(tx, services, id),
    services.membershipListener.applicationDeleted(tx, caller, id),
  ])
  audit(id)
})
