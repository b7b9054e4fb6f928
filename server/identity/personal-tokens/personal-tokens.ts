import {
  createPersonalToken,
  listPersonalTokens,
  revokePersonalToken,
} from '#contract/identity/personal-tokens.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { recordAccessChange } from '../person.access.ts'
import { digestOf, newToken, prefixOf } from './personal-token.format.ts'
import { countedTokens, insertToken, listedTokens, setRevoked } from './personal-token.sql.ts'

const create = command(createPersonalToken, async ({ tx, caller, body, audit }) => {
  const token = newToken(caller.organizationId)
  const stored = await insertToken(tx, {
    personId: caller.personId,
    name: body.name.trim(),
    digest: digestOf(token),
    prefix: prefixOf(token),
    expiresInDays: body.expiresInDays ?? limits.personalTokenDaysDefault,
  })
  if (!stored) fail('TOO_MANY_TOKENS', { limit: limits.personalTokens })
  audit(stored.id, ['name', 'expiresAt'])
  return { ...stored, token }
})

const list = query(listPersonalTokens, async ({ db, caller, query }) => {
  const { limit, offset } = pageOf(query)
  const [items, count] = await Promise.all([
    db.rows(listedTokens, { personId: caller.personId, limit, offset }),
    db.one(countedTokens, { personId: caller.personId }),
  ])
  return { items, total: count.total, limit, offset }
})

/** Also revokes an expired token, which removes it from the list. */
const revoke = command(revokePersonalToken, async ({ tx, caller, params: { id }, services, audit }) => {
  if (!(await tx.first(setRevoked, { personId: caller.personId, id }))) fail('TOKEN_NOT_FOUND')
  await recordAccessChange(tx, services, caller.personId)
  audit(id, ['revokedAt'])
})

/** The operations of personal access tokens: `/api/auth/personal-tokens`. */
export const personalTokenOperations: ServedOperation[] = [create, list, revoke]
