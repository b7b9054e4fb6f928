import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** `has_expired`: by the clock of the database. */
export type AuthorizationRow = {
  id: string
  application_id: string
  external_user_id: string
  gateway_account_id: string
  status: 'PENDING' | 'ACTIVE' | 'REVOKED'
  scope: 'RECURRING' | 'SINGLE'
  invoice_id: string | null
  currency: string
  limit_cents: number | null
  payment_method_id: string | null
  setup_id: string | null
  consent_locale: string
  consent_version: number
  consent_sha256: string
  accepted_at: string
  expires_at: string | null
  revoked_at: string | null
  created_at: string
  updated_at: string
  has_expired: boolean
}
type NewAuthorization = Pick<
  AuthorizationRow,
  | 'application_id'
  | 'external_user_id'
  | 'gateway_account_id'
  | 'scope'
  | 'invoice_id'
  | 'currency'
  | 'limit_cents'
  | 'consent_locale'
  | 'consent_version'
  | 'consent_sha256'
  | 'expires_at'
> & { id: string; ip: string; user_agent: string }
type User = { applicationId: string; userId: string }

const names = [
  'id',
  'application_id',
  'external_user_id',
  'gateway_account_id',
  'status',
  'scope',
  'invoice_id',
  'currency',
  'limit_cents',
  'payment_method_id',
  'setup_id',
  'consent_locale',
  'consent_version',
  'consent_sha256',
  'accepted_at',
  'expires_at',
  'revoked_at',
  'created_at',
  'updated_at',
]
const columns = `${names.map(name => `a.${name}`).join(', ')},
  coalesce(now() >= a.expires_at, false) as has_expired`
const byId = `select ${columns} from payment_authorization a where a.organization_id = $organization and a.id = $id`
const ofUser =
  'a.organization_id = $organization and a.application_id = $applicationId and a.external_user_id = $userId'

const select = sql<AuthorizationRow, { id: string }>(byId)
const lock = sql<AuthorizationRow, { id: string }>(`${byId} for no key update`)
// index payment_authorization_of
const page = sql<AuthorizationRow, User & { limit: number; offset: number }>(
  `select ${columns} from payment_authorization a where ${ofUser}
   order by a.created_at desc, a.id desc limit $limit offset $offset`,
)
const count = sql<{ total: number }, User>(
  `select count(*) as total from (
     select from payment_authorization a where ${ofUser} limit ${limits.invoicesCounted}) n`,
)
const countLive = sql<{ live: number }, User>(
  `select count(*) as live from payment_authorization a where ${ofUser} and (a.status = 'ACTIVE' or
     a.status = 'PENDING' and a.created_at > now() - interval '${limits.cardPageHours} hours')`,
)
const lockUser = sql<{ external_id: string }, User>(
  `select u.external_id from external_user u
   where u.organization_id = $organization and u.application_id = $applicationId and u.external_id = $userId
     for no key update`,
)
const insert = sql<
  never,
  {
    id: string
    applicationId: string
    userId: string
    accountId: string
    scope: string
    invoiceId: string | null
    currency: string
    limitCents: number | null
    locale: string
    version: number
    sha256: string
    ip: string
    userAgent: string
    expiresAt: string | null
  }
>(`
  insert into payment_authorization (organization_id, id, application_id, external_user_id, gateway_account_id,
    status, scope, invoice_id, currency, limit_cents, consent_locale, consent_version, consent_sha256, accepted_at, ip,
    user_agent, expires_at)
  values ($organization, $id, $applicationId, $userId, $accountId, 'PENDING', $scope, $invoiceId, $currency,
    $limitCents, $locale, $version, $sha256, now(), $ip, $userAgent, $expiresAt)`)
const setSetup = sql<never, { id: string; setupId: string }>(
  `update payment_authorization a set setup_id = $setupId where a.organization_id = $organization and a.id = $id`,
)
const activate = sql<AuthorizationRow, { id: string; methodId: string }>(
  `update payment_authorization a set status = 'ACTIVE', payment_method_id = $methodId, updated_at = now()
   where a.organization_id = $organization and a.id = $id returning ${columns}`,
)
const revoke = sql<AuthorizationRow, { id: string }>(
  `update payment_authorization a set status = 'REVOKED', revoked_at = now(), updated_at = now()
   where a.organization_id = $organization and a.id = $id returning ${columns}`,
)

export function findAuthorization(db: Db, id: string): Promise<AuthorizationRow | undefined> {
  return db.first(select, { id })
}

/** The same with a lock. */
export function findAndLockAuthorization(tx: Tx, id: string): Promise<AuthorizationRow | undefined> {
  return tx.first(lock, { id })
}

/** An authorization that exists. */
export function readAuthorization(db: Db, id: string): Promise<AuthorizationRow> {
  return db.one(select, { id })
}

/** The same with a lock. */
export function lockAuthorizationById(tx: Tx, id: string): Promise<AuthorizationRow> {
  return tx.one(lock, { id })
}

/** A page of a user's authorizations, the newest first, and their number. */
export async function listAuthorizationsOfUser(
  db: Db,
  user: User,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AuthorizationRow[]; total: number }> {
  const [rows, counted] = await Promise.all([db.rows(page, { ...user, limit, offset }), db.one(count, user)])
  return { rows, total: counted.total }
}

/**
 * Locks a user and counts their authorizations that are active or still wait for a card. Undefined when the
 * application has no such user.
 */
export async function lockUserAndCount(tx: Tx, user: User): Promise<number | undefined> {
  const held = await tx.first(lockUser, user)
  return held && (await tx.one(countLive, user)).live
}

export async function insertAuthorization(tx: Tx, input: NewAuthorization): Promise<void> {
  const { id, application_id, external_user_id, gateway_account_id, scope, invoice_id, currency } = input
  const { limit_cents, consent_locale, consent_version, consent_sha256, ip, user_agent, expires_at } = input
  await tx.run(insert, {
    id,
    applicationId: application_id,
    userId: external_user_id,
    accountId: gateway_account_id,
    scope,
    invoiceId: invoice_id,
    currency,
    limitCents: limit_cents,
    locale: consent_locale,
    version: consent_version,
    sha256: consent_sha256,
    ip,
    userAgent: user_agent,
    expiresAt: expires_at,
  })
}

export async function setAuthorizationSetup(tx: Tx, id: string, setupId: string): Promise<void> {
  await tx.run(setSetup, { id, setupId })
}

export function setActive(tx: Tx, id: string, methodId: string): Promise<AuthorizationRow> {
  return tx.one(activate, { id, methodId })
}

export function setRevoked(tx: Tx, id: string): Promise<AuthorizationRow> {
  return tx.one(revoke, { id })
}
