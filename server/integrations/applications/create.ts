import { createApplication } from '#contract/integrations/applications.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockSlugs } from './application.access.ts'
import {
  assertNoNewCritical,
  assertWithinPermissions,
  inOrder,
  slugFrom,
  tidyOrigins,
} from './application.rules.ts'
import { freeSlug, hasRoom, insertApplication, isFree } from './application.sql.ts'
import { applicationNow } from './read.ts'

/** Registers an application on behalf of the caller. */
export const create = command(createApplication, async ({ tx, caller, body, audit }) => {
  const name = body.name.trim()
  const scopes = inOrder(body.scopes ?? [])
  const origins = tidyOrigins(body.origins ?? [])
  assertNoNewCritical(scopes, [])
  assertWithinPermissions(caller, { principal_id: caller.personId, scopes })
  const [, isRoom, slug] = await Promise.all([
    lockSlugs(tx),
    hasRoom(tx),
    body.slug === undefined ? freeSlug(tx, slugFrom(name)) : askedSlug(body.slug),
  ])
  if (!isRoom) fail('TOO_MANY_APPLICATIONS')
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

  async function askedSlug(asked: string): Promise<string> {
    return (await isFree(tx, asked)) ? asked : fail('APPLICATION_SLUG_TAKEN')
  }
})
