import type { PersonalToken } from '#contract/identity/personal-tokens.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { type CallerRow, callerColumns, callerJoins, mayCall } from '../sessions/session.sql.ts'

const columns = `t.id, t.name, t.prefix, t.created_at as "createdAt", t.expires_at as "expiresAt",
  t.last_used_at as "lastUsedAt"`

// the holder of the lock may count and insert; others wait, and count what was inserted
const lockPerson = sql<never, { personId: string }>(
  `select 1 from membership m where m.organization_id = $organization and m.person_id = $personId
    for no key update`,
)
const insertRow = sql<
  PersonalToken,
  { personId: string; id: string; name: string; digest: string; prefix: string; days: number }
>(`
  insert into personal_token as t (organization_id, person_id, id, name, digest, prefix, created_at, expires_at)
  select $organization, $personId, $id, $name, $digest, $prefix, now(),
    now() + make_interval(days => $days)
  where ${limits.personalTokens} > (
    select count(*) from personal_token o
    where o.organization_id = $organization and o.person_id = $personId and o.revoked_at is null
      and o.expires_at > now())
  returning ${columns}`)

export type NewPersonalToken = {
  personId: string
  name: string
  digest: string
  prefix: string
  expiresInDays: number
}

/** Stores a token. Undefined if the person has the maximum number. */
export async function insertToken(tx: Tx, token: NewPersonalToken): Promise<PersonalToken | undefined> {
  const { personId, name, digest, prefix, expiresInDays } = token
  const [, row] = await tx.inOrder(
    () => tx.run(lockPerson, { personId }),
    () => tx.first(insertRow, { personId, id: newId(), name, digest, prefix, days: expiresInDays }),
  )
  return row
}

// a token from before the person left and returned is invalid, so it is not listed
const activeTokensOfPerson = `from personal_token t
  join membership m on m.organization_id = $organization and m.person_id = t.person_id
  where t.organization_id = $organization and t.person_id = $personId and t.revoked_at is null
    and t.created_at >= m.created_at`

/** The tokens of a person that were not revoked, newest first: index personal_token_person. */
export const listedTokens = sql<PersonalToken, { personId: string; limit: number; offset: number }>(
  `select ${columns} ${activeTokensOfPerson} order by t.id desc limit $limit offset $offset`,
)
export const countedTokens = sql<{ total: number }, { personId: string }>(
  `select count(*)::int as total ${activeTokensOfPerson}`,
)

/** Revokes a token of this person. No row if there is none to revoke. */
export const setRevoked = sql<{ id: string }, { personId: string; id: string }>(`
  update personal_token t set revoked_at = now()
  where t.organization_id = $organization and t.person_id = $personId and t.id = $id and t.revoked_at is null
  returning t.id`)

/** `session_id` is the id of the token. */
export type TokenRow = CallerRow & { ends_in_ms: number }

function callerText(condition: string, end: string): string {
  return `select ${callerColumns}, t.id as session_id,
     floor(extract(epoch from ${end} - now()) * 1000)::float8 as ends_in_ms
   from personal_token t
   join membership m on m.organization_id = $organizationId and m.person_id = t.person_id
   ${callerJoins}
   where t.organization_id = $organizationId and ${condition} and t.revoked_at is null and ${end} > now()
     and t.created_at >= m.created_at and ${mayCall}`
}

/** The caller of a token digest, if the token is valid and its person is still a member. */
export const callerOfToken = crossTenantSql<TokenRow, { organizationId: string; digest: string }>(
  'the credential identifies the organization',
  callerText('t.digest = $digest', 't.expires_at'),
)

/** The same by the token's id, until `expires` (seconds since 1970) at the latest. */
export const callerOfTokenId = crossTenantSql<
  TokenRow,
  { organizationId: string; id: string; expires: number }
>(
  'the credential identifies the organization',
  callerText('t.id = $id', 'least(t.expires_at, to_timestamp($expires::int8))'),
)

/** Records the use of a token, at most once a minute over all processes. */
export const setUsed = sql<never, { id: string }>(`
  update personal_token t set last_used_at = now()
  where t.organization_id = $organization and t.id = $id
    and (t.last_used_at is null or t.last_used_at <= now() - interval '1 minute')`)

const removeEnded = crossTenantSql<{ removed: number }>(
  'expired tokens are deleted in all organizations',
  `with gone as (
     delete from personal_token where (organization_id, id) in (
       select organization_id, id from personal_token
       where least(expires_at, revoked_at) < now() - interval '${limits.personalTokenRetentionDays} days'
       limit 1000)
     returning 1)
   select count(*)::int as removed from gone`,
)

/** Deletes one chunk of tokens that ended long ago. */
export async function removeOldTokens(database: Database): Promise<number> {
  return (await database.crossTenant.first(removeEnded))?.removed ?? 0
}
