import { updateApplication } from '#contract/integrations/applications.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { fail } from '#platform/fail.ts'
import { changes } from '#platform/serve.ts'
import { accessChanged } from '#server/identity/index.ts'
import { keepCriticalScopes } from '../critical-scopes/store.ts'
import { type ApplicationRow, lockApplication, lockSlugs } from './access.ts'
import { applicationNow } from './read.ts'
import { assertNoNewCritical, changedFields, type Fields, inOrder, tidyOrigins } from './rules.ts'
import { isFree, isMember, setApplication } from './store.ts'

/** What decides what its keys open. */
const admitting = ['status', 'origins', 'scopes']

/** Changes what is given. A critical scope that is left out is gone, and so is the reason why it was given. */
export const update = changes(
  updateApplication,
  async ({ tx, caller, params: { id }, body, world, audits }) => {
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
    if (after.slug !== before.slug && !(await isFree(tx, after.slug))) fail('APPLICATION_SLUG_TAKEN')
    await assertPrincipal(tx, caller, before, after)

    const changed = changedFields(before, after)
    if (changed.length > 0) {
      await Promise.all([setApplication(tx, id, after), keepCriticalScopes(tx, id, after.scopes)])
    }
    if (changed.some(field => admitting.includes(field))) await accessChanged(tx, world, id)
    audits(id, changed)
    return applicationNow(tx, id)
  },
)

/** Whoever is no administrator can let it act on behalf of nobody but themselves: others may be allowed more. */
async function assertPrincipal(tx: Tx, caller: Caller, before: ApplicationRow, after: Fields): Promise<void> {
  const { principal_id: principalId } = after
  if (principalId === before.principal_id) return
  if (!(await isMember(tx, principalId))) fail('PRINCIPAL_UNKNOWN')
  if (!caller.isAdministrator && principalId !== caller.personId) fail('PERMISSION_DENIED')
}
