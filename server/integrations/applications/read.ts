import {
  type Application,
  listApplications,
  readApplication,
  readOwnApplication,
} from '#contract/integrations/applications.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { criticalScopesOf } from '../critical-scopes/critical-scope.sql.ts'
import { showApplication, showItem } from './application.json.ts'
import { sortScopes } from './application.rules.ts'
import { applicationItem, listPage, ownApplication } from './application.sql.ts'

/** The applications of the organization, by name. */
export const list = query(listApplications, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const { rows, total } = await listPage(db, query.status ?? null, limit, offset)
  return { items: rows.map(showItem), total, limit, offset }
})

export const read = query(readApplication, ({ db, params }) => applicationNow(db, params.id))

/** Lets an application check its key and its scopes. */
export const readOwn = query(readOwnApplication, async ({ db, caller }) => {
  const { applicationId, sessionId: keyId, organizationId } = caller
  const own = (await ownApplication(db, applicationId!, keyId)) ?? fail('UNAUTHENTICATED')
  const { id, slug, name, key_id, key_name, prefix, expires_at } = own
  const key = { id: key_id, name: key_name, prefix, expiresAt: expires_at }
  // the scopes with which the request was authenticated
  return { id, slug, name, organizationId, scopes: sortScopes([...caller.scopes]), key }
})

/** The current application, including changes of the transaction. Refuses APPLICATION_NOT_FOUND. */
export async function applicationNow(db: Db, id: string): Promise<Application> {
  const [row, critical] = await Promise.all([applicationItem(db, id), criticalScopesOf(db, id)])
  return showApplication(row ?? fail('APPLICATION_NOT_FOUND'), critical)
}
