import { updateApplication } from '#contract/integrations/applications.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { recordAccessChange } from '#server/identity/index.ts'
import { deleteCriticalScopesExcept } from '../critical-scopes/critical-scope.sql.ts'
import { lockApplication, lockSlugs } from './application.access.ts'
import {
  type ApplicationFields,
  assertNoNewCritical,
  assertWithinPermissions,
  changedFields,
  normalizeOrigins,
  sortScopes,
} from './application.rules.ts'
import { isMember, isSlugFree, setApplication } from './application.sql.ts'
import { applicationNow } from './read.ts'

/** Fields that change what its keys may access. */
const accessFields = ['status', 'origins', 'scopes']

/** Updates the given fields. Removing a critical scope also deletes the reason of its grant. */
export const update = command(
  updateApplication,
  async ({ tx, caller, params: { id }, body, services, audit }) => {
    if (body.slug !== undefined) await lockSlugs(tx)
    const before = await lockApplication(tx, id)
    const after: ApplicationFields = {
      name: body.name?.trim() ?? before.name,
      slug: body.slug ?? before.slug,
      description: body.description === undefined ? before.description : body.description,
      status: body.status ?? before.status,
      principal_id: body.principalId ?? before.principal_id,
      origins: body.origins ? normalizeOrigins(body.origins) : before.origins,
      scopes: body.scopes ? sortScopes(body.scopes) : before.scopes,
    }
    assertNoNewCritical(after.scopes, before.scopes)
    const isNewPrincipal = after.principal_id !== before.principal_id
    if (isNewPrincipal && !(await isMember(tx, after.principal_id))) fail('PRINCIPAL_UNKNOWN')
    const givesScopes = after.scopes.some(scope => !before.scopes.includes(scope))
    if (isNewPrincipal || givesScopes) assertWithinPermissions(caller, after)
    if (after.slug !== before.slug && !(await isSlugFree(tx, after.slug))) fail('APPLICATION_SLUG_TAKEN')

    const changed = changedFields(before, after)
    if (changed.length > 0) {
      await Promise.all([setApplication(tx, id, after), deleteCriticalScopesExcept(tx, id, after.scopes)])
    }
    if (changed.some(field => accessFields.includes(field))) await recordAccessChange(tx, services, id)
    audit(id, changed)
    return applicationNow(tx, id)
  },
)
