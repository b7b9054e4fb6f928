import { updateApplication } from '#contract/integrations/applications.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { accessChanged } from '#server/identity/index.ts'
import { keepCriticalScopes } from '../critical-scopes/critical-scope.sql.ts'
import { lockApplication, lockSlugs } from './application.access.ts'
import {
  assertNoNewCritical,
  assertWithinPermissions,
  changedFields,
  type Fields,
  inOrder,
  tidyOrigins,
} from './application.rules.ts'
import { isFree, isMember, setApplication } from './application.sql.ts'
import { applicationNow } from './read.ts'

/** What decides what its keys open. */
const admitting = ['status', 'origins', 'scopes']

/** Changes what is given. A critical scope that is left out is gone, and so is the reason why it was given. */
export const update = command(
  updateApplication,
  async ({ tx, caller, params: { id }, body, services, audit }) => {
    if (body.slug !== undefined) await lockSlugs(tx)
    const before = await lockApplication(tx, id)
    const after: Fields = {
      name: body.name?.trim() ?? before.name,
      slug: body.slug ?? before.slug,
      description: body.description === undefined ? before.description : body.description,
      status: body.status ?? before.status,
      principal_id: body.principalId ?? before.principal_id,
      origins: body.origins ? tidyOrigins(body.origins) : before.origins,
      scopes: body.scopes ? inOrder(body.scopes) : before.scopes,
    }
    assertNoNewCritical(after.scopes, before.scopes)
    const isNewPrincipal = after.principal_id !== before.principal_id
    if (isNewPrincipal && !(await isMember(tx, after.principal_id))) fail('PRINCIPAL_UNKNOWN')
    const givesScopes = after.scopes.some(scope => !before.scopes.includes(scope))
    if (isNewPrincipal || givesScopes) assertWithinPermissions(caller, after)
    if (after.slug !== before.slug && !(await isFree(tx, after.slug))) fail('APPLICATION_SLUG_TAKEN')

    const changed = changedFields(before, after)
    if (changed.length > 0) {
      await Promise.all([setApplication(tx, id, after), keepCriticalScopes(tx, id, after.scopes)])
    }
    if (changed.some(field => admitting.includes(field))) await accessChanged(tx, services, id)
    audit(id, changed)
    return applicationNow(tx, id)
  },
)
