import type { Db, Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type AuthorizationRow, findAndLockAuthorization, findAuthorization } from './authorization.sql.ts'

/**
 * An authorization for a caller: a member of its organization, or its application, for the user if one is named.
 * Refuses AUTHORIZATION_NOT_FOUND.
 */
export async function authorizationFor(
  db: Db,
  caller: Caller,
  id: string,
  userId?: string,
): Promise<AuthorizationRow> {
  return assertAccessible(await findAuthorization(db, id), caller, userId)
}

/** The same with a lock. */
export async function lockAuthorization(
  tx: Tx,
  caller: Caller,
  id: string,
  userId?: string,
): Promise<AuthorizationRow> {
  return assertAccessible(await findAndLockAuthorization(tx, id), caller, userId)
}

function assertAccessible(
  row: AuthorizationRow | undefined,
  caller: Caller,
  userId?: string,
): AuthorizationRow {
  const { applicationId } = caller
  const isOwn = row && (applicationId === null || row.application_id === applicationId)
  if (!isOwn || (userId !== undefined && row.external_user_id !== userId)) fail('AUTHORIZATION_NOT_FOUND')
  return row
}
