import type { ApplicationKey } from '#contract/integrations/keys.ts'
import { limits } from '#contract/limits.ts'
import type { Scope } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { type PlanRow, planColumns } from '#server/identity/index.ts'

const columns = `k.id, k.name, k.prefix, k.created_at as "createdAt", k.expires_at as "expiresAt",
  k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"`
const isLive = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())'

type NewRow = {
  applicationId: string
  id: string
  name: string
  digest: string
  prefix: string
  createdBy: string
  days: number | null
}
const insertRow = sql<ApplicationKey, NewRow>(`
  insert into application_key as k
    (organization_id, application_id, id, name, digest, prefix, created_by, created_at, expires_at)
  select $organization, $applicationId, $id, $name, $digest, $prefix, $createdBy, now(),
    now() + make_interval(days => $days)
  where ${limits.applicationKeys} > (
    select count(*) from application_key k
    where k.organization_id = $organization and k.application_id = $applicationId and ${isLive})
  returning ${columns}`)

const removeOld = sql<never, { applicationId: string }>(`
  delete from application_key k
  where k.organization_id = $organization and k.application_id = $applicationId and not (${isLive}) and k.id <= (
    select k.id from application_key k
    where k.organization_id = $organization and k.application_id = $applicationId and not (${isLive})
    order by k.id desc offset ${limits.endedApplicationKeysMax} limit 1)`)

export type NewKey = { name: string; digest: string; prefix: string; createdBy: string; days: number | null }

/**
 * Inserts a key and deletes old expired ones. Undefined if the application reached its limit of active keys. The caller
 * must hold the lock of the application, so that nobody else counts at the same time.
 */
export async function insertKey(
  tx: Tx,
  applicationId: string,
  key: NewKey,
): Promise<ApplicationKey | undefined> {
  const { name, digest, prefix, createdBy, days } = key
  const [row] = await Promise.all([
    tx.first(insertRow, { applicationId, id: newId(), name, digest, prefix, createdBy, days }),
    tx.run(removeOld, { applicationId }),
  ])
  return row
}

// index application_key_application
const selectPage = sql<ApplicationKey, { applicationId: string; limit: number; offset: number }>(`
  select ${columns} from application_key k
  where k.organization_id = $organization and k.application_id = $applicationId
  order by k.id desc limit $limit offset $offset`)
const countOf = sql<{ total: number }, { applicationId: string }>(`
  select count(*) as total from application_key k where k.organization_id = $organization
    and k.application_id = $applicationId`)

/** The keys of an application, newest first, including revoked and expired ones. */
export async function listKeys(
  db: Db,
  applicationId: string,
  limit: number,
  offset: number,
): Promise<{ items: ApplicationKey[]; total: number }> {
  const [items, counted] = await Promise.all([
    db.rows(selectPage, { applicationId, limit, offset }),
    db.one(countOf, { applicationId }),
  ])
  return { items, total: counted.total }
}

const revoke = sql<never, { applicationId: string; id: string }>(`
  update application_key k set revoked_at = now()
  where k.organization_id = $organization and k.application_id = $applicationId and k.id = $id
    and k.revoked_at is null`)

/** False if the application has no such key, or it was already revoked. */
export async function setKeyRevoked(tx: Tx, applicationId: string, id: string): Promise<boolean> {
  return (await tx.run(revoke, { applicationId, id })) > 0
}

const removeAll = sql<never, { applicationId: string }>(
  'delete from application_key k where k.organization_id = $organization and k.application_id = $applicationId',
)

/** Deletes all keys of an application. */
export async function deleteKeys(tx: Tx, applicationId: string): Promise<void> {
  await tx.run(removeAll, { applicationId })
}

export type ApplicationCallerRow = PlanRow & {
  key_id: string
  application_id: string
  status: 'ACTIVE' | 'DISABLED'
  origins: string[]
  scopes: Scope[]
  /** Null if the key does not expire. */
  ends_in_ms: number | null
}

/** The application of a key digest, if the key is active. */
export const callerOfKey = crossTenantSql<ApplicationCallerRow, { organizationId: string; digest: string }>(
  'the credential names the organization, which is authenticated here',
  `select k.id as key_id, a.id as application_id, a.organization_id, a.status, a.origins, a.scopes, ${planColumns},
     floor(extract(epoch from k.expires_at - now()) * 1000)::float8 as ends_in_ms
   from application_key k
   join application a on a.organization_id = $organizationId and a.id = k.application_id
   join organization o on o.id = $organizationId
   where k.organization_id = $organizationId and k.digest = $digest and ${isLive} and a.deleted_at is null`,
)

/** Records the use of a key, at most once a minute over all processes. */
export const setUsed = sql<never, { id: string }>(`
  update application_key k set last_used_at = now()
  where k.organization_id = $organization and k.id = $id
    and (k.last_used_at is null or k.last_used_at <= now() - interval '1 minute')`)
