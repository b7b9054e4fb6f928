import {
  createProvisioningToken,
  listProvisioningTokens,
  revokeProvisioningToken,
} from '#contract/identity/provisioning.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockOrganization } from '../organization/organization.sql.ts'
import { recordAccessChange } from '../person.access.ts'
import { digestOf, newToken, prefixOf } from './provisioning-token.format.ts'
import { deleteToken, insertToken, listedTokens } from './provisioning-token.sql.ts'

const create = command(createProvisioningToken, async ({ tx, caller, body, audit }) => {
  const token = newToken(caller.organizationId)
  // two calls at the same time count one after the other
  await tx.first(lockOrganization)
  const stored = await tx.first(insertToken, {
    id: newId(),
    personId: caller.personId,
    name: body.name.trim(),
    digest: digestOf(token),
    prefix: prefixOf(token),
    days: body.expiresInDays ?? limits.provisioningTokenDays,
  })
  if (!stored) fail('TOO_MANY_PROVISIONING_TOKENS', { limit: limits.provisioningTokens })
  audit(stored.id, ['name', 'expiresAt'])
  return { ...stored, token }
})

const list = query(listProvisioningTokens, async ({ db }) => ({ items: await db.rows(listedTokens) }))

const revoke = command(revokeProvisioningToken, async ({ tx, params: { id }, services, audit }) => {
  const revoked = (await tx.first(deleteToken, { id })) ?? fail('PROVISIONING_TOKEN_NOT_FOUND')
  await recordAccessChange(tx, services, revoked.person_id)
  audit(id, ['revokedAt'])
})

/** The operations of tokens of identity providers: `/api/org/provisioning-tokens`. */
export const provisioningTokenOperations: ServedOperation[] = [create, list, revoke]
