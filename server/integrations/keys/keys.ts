import { createKey, listKeys as listKeysEndpoint, revokeKey } from '#contract/integrations/keys.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { recordAccessChange } from '#server/identity/index.ts'
import { applicationFor, lockApplication } from '../applications/application.access.ts'
import { assertWithinPermissions } from '../applications/application.rules.ts'
import { digestOf, newKey, prefixOf } from './api-key.format.ts'
import { insertKey, listKeys, setKeyRevoked } from './api-key.sql.ts'

const create = command(createKey, async ({ tx, caller, params: { id }, body, audit }) => {
  const key = newKey(caller.organizationId)
  const [application, row] = await tx.inOrder(
    () => lockApplication(tx, id),
    () =>
      insertKey(tx, id, {
        name: body.name.trim(),
        digest: digestOf(key),
        prefix: prefixOf(key),
        createdBy: caller.personId,
        days: body.expiresInDays ?? null,
      }),
  )
  assertWithinPermissions(caller, application)
  if (!row) fail('TOO_MANY_KEYS', { limit: limits.applicationKeys })
  audit(row.id, ['name', 'expiresAt'])
  return { ...row, key }
})

const list = query(listKeysEndpoint, async ({ db, params: { id }, query }) => {
  const { limit, offset } = pageOf(query)
  const [page] = await Promise.all([listKeys(db, id, limit, offset), applicationFor(db, id)])
  return { ...page, limit, offset }
})

/** Revokes a key, even if it has expired. */
const revoke = command(revokeKey, async ({ tx, params: { id, keyId }, services, audit }) => {
  const [, isRevoked] = await tx.inOrder(
    () => lockApplication(tx, id),
    () => setKeyRevoked(tx, id, keyId),
  )
  if (!isRevoked) fail('KEY_NOT_FOUND')
  await recordAccessChange(tx, services, id)
  audit(keyId, ['revokedAt'])
})

/** The keys of an application: `/api/integrations/applications/:id/keys`. */
export const keyOperations: ServedOperation[] = [create, list, revoke]
