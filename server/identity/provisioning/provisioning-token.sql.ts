import type { ProvisioningToken } from '#contract/identity/provisioning.ts'
import { limits } from '#contract/limits.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { type CallerRow, callerColumns, callerJoins, mayCall } from '../sessions/session.sql.ts'

const columns = `t.id, t.name, t.prefix, t.person_id as "createdBy", t.created_at as "createdAt",
  t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt"`

/** No row if the organization has the maximum number. The caller holds the lock of the organization. */
export const insertToken = sql<
  ProvisioningToken,
  { id: string; personId: string; name: string; digest: string; prefix: string; days: number }
>(`
  insert into provisioning_token as t (organization_id, id, person_id, name, digest, prefix, expires_at)
  select $organization, $id, $personId, $name, $digest, $prefix, now() + make_interval(days => $days)
  where ${limits.provisioningTokens} > (
    select count(*) from provisioning_token o where o.organization_id = $organization)
  returning ${columns}`)

/** All tokens, newest first: primary key of provisioning_token. */
export const listedTokens = sql<ProvisioningToken>(
  `select ${columns} from provisioning_token t where t.organization_id = $organization
   order by t.id desc limit ${limits.provisioningTokens}`,
)

export const deleteToken = sql<{ person_id: string }, { id: string }>(
  `delete from provisioning_token t where t.organization_id = $organization and t.id = $id
   returning t.person_id`,
)

/** `session_id` is the id of the token. */
export type ProvisioningTokenRow = CallerRow & { ends_in_ms: number }

/** The person in whose name a token acts, while it is valid and they have not left since it was created. */
export const callerOfToken = crossTenantSql<ProvisioningTokenRow, { organizationId: string; digest: string }>(
  'the credential identifies the organization',
  `select ${callerColumns}, t.id as session_id,
     floor(extract(epoch from t.expires_at - now()) * 1000)::float8 as ends_in_ms
   from provisioning_token t
   join membership m on m.organization_id = $organizationId and m.person_id = t.person_id
   ${callerJoins}
   where t.organization_id = $organizationId and t.digest = $digest and t.expires_at > now()
     and t.created_at >= m.created_at and ${mayCall}`,
)

/** Records the use of a token, at most once a minute over all processes. */
export const setUsed = sql<never, { id: string }>(`
  update provisioning_token t set last_used_at = now()
  where t.organization_id = $organization and t.id = $id
    and (t.last_used_at is null or t.last_used_at <= now() - interval '1 minute')`)
