import { createApplication } from '#contract/integrations/applications.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockSlugs } from './application.access.ts'
import {
  assertNoNewCritical,
  assertWithinPermissions,
  normalizeOrigins,
  slugFrom,
  sortScopes,
} from './application.rules.ts'
import { canAddApplication, freeSlug, insertApplication, isSlugFree } from './application.sql.ts'
import { applicationNow } from './read.ts'

/** Registers an application on behalf of the caller. */
export const create = command(createApplication, async ({ tx, caller, body, audit }) => {
  const name = body.name.trim()
  const scopes = sortScopes(body.scopes ?? [])
  const origins = normalizeOrigins(body.origins ?? [])
  assertNoNewCritical(scopes, [])
  assertWithinPermissions(caller, { principal_id: caller.personId, scopes })
  const [, canAdd, slug] = await tx.inOrder(
    () => lockSlugs(tx),
    () => canAddApplication(tx),
    () => (body.slug === undefined ? freeSlug(tx, slugFrom(name)) : requestedSlug(body.slug)),
  )
  if (!canAdd) fail('TOO_MANY_APPLICATIONS')
  const id = newId()
  await insertApplication(tx, id, {
    slug,
    name,
    description: body.description ?? null,
    status: 'ACTIVE',
    principal_id: caller.personId,
    origins,
    scopes,
  })
  audit(id, ['name', 'slug', 'origins', 'scopes'])
  return applicationNow(tx, id)

  async function requestedSlug(requested: string): Promise<string> {
    return (await isSlugFree(tx, requested)) ? requested : fail('APPLICATION_SLUG_TAKEN')
  }
})
