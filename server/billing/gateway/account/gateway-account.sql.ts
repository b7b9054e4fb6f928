import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'
import type { EncryptedKeys } from '../account-keys.ts'

export type AccountRow = EncryptedKeys & {
  gateway_id: string
  status: 'PENDING' | 'READY' | 'DISABLED'
  currencies: string[]
  publishable_key: string | null
  is_test: boolean
  created_at: string
  updated_at: string
}
type AccountState = { status: 'PENDING' | 'READY'; currencies: string[] }
type AccountValues = Omit<AccountRow, 'created_at' | 'updated_at'>

const columns = `g.id, g.adapter, g.gateway_id, g.status, g.currencies, g.secret_key, g.webhook_secret,
  g.publishable_key, g.is_test, g.created_at, g.updated_at`
const current = `select ${columns} from gateway_account g
  where g.organization_id = $organization and g.status <> 'DISABLED'`

const select = sql<AccountRow>(current)
const lock = sql<AccountRow>(`${current} for no key update`)
const lockDisabled = sql<AccountRow, { adapter: string; gatewayId: string; isTest: boolean }>(`
  select ${columns} from gateway_account g
  where g.organization_id = $organization and g.status = 'DISABLED' and g.adapter = $adapter
    and g.gateway_id = $gatewayId and g.is_test = $isTest
  order by g.created_at desc limit 1 for no key update`)
const lockConnecting = sql<never>(`select ${organizationLock('gateway-account')}`)
const byId = sql<AccountRow, { id: string }>(
  `select ${columns} from gateway_account g where g.organization_id = $organization and g.id = $id`,
)
const upsert = sql<
  AccountRow,
  {
    id: string
    adapter: string
    gatewayId: string
    status: string
    currencies: string[]
    secretKey: string | null
    webhookSecret: string | null
    publishableKey: string | null
    isTest: boolean
  }
>(`
  insert into gateway_account as g (organization_id, id, adapter, gateway_id, status, currencies, secret_key,
    webhook_secret, publishable_key, is_test)
  values ($organization, $id, $adapter, $gatewayId, $status, $currencies, $secretKey, $webhookSecret,
    $publishableKey, $isTest)
  on conflict (organization_id, id) do update set status = excluded.status, currencies = excluded.currencies,
    secret_key = excluded.secret_key, webhook_secret = excluded.webhook_secret,
    publishable_key = excluded.publishable_key, is_test = excluded.is_test, polled_at = now(), updated_at = now()
    where g.organization_id = $organization
  returning ${columns}`)
const disable = sql<AccountRow, { id: string }>(`
  update gateway_account g set status = 'DISABLED', updated_at = now()
  where g.organization_id = $organization and g.id = $id returning ${columns}`)
const setState = sql<never, { id: string; status: string; currencies: string[] }>(`
  update gateway_account g set status = $status, currencies = $currencies, updated_at = now()
  where g.organization_id = $organization and g.id = $id and g.status <> 'DISABLED'
    and (g.status <> $status or g.currencies <> $currencies)`)
const claimDue = crossTenantSql<
  AccountRow & { organization_id: string },
  { many: number; pendingSeconds: number; seconds: number }
>(
  'the worker polls the accounts of all organizations',
  `update gateway_account g set polled_at = now()
   where (g.organization_id, g.id) in (
     select d.organization_id, d.id from gateway_account d
     where d.status <> 'DISABLED' and d.polled_at < now() - make_interval(secs => $pendingSeconds)
       and (d.status = 'PENDING' or d.polled_at < now() - make_interval(secs => $seconds))
     order by d.polled_at limit $many ${oneServerLock('for update skip locked')})
     and g.polled_at < now() - make_interval(secs => $pendingSeconds)
   returning g.organization_id, ${columns}`,
)

/** The connected account of an organization. */
export function findAccount(db: Db): Promise<AccountRow | undefined> {
  return db.first(select)
}

/** Any account of the organization, disconnected ones included. */
export function findAccountById(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.first(byId, { id })
}

/** The same for an account that exists. */
export function readAccount(db: Db, id: string): Promise<AccountRow> {
  return db.one(byId, { id })
}

/** Locks the connected account; until the transaction ends, no other can be connected or changed. */
export async function lockAccount(tx: Tx): Promise<AccountRow | undefined> {
  await tx.first(lockConnecting)
  return tx.first(lock)
}

/** The disconnected row of the same gateway account, if it was connected before. */
export function lockDisabledAccount(
  tx: Tx,
  { adapter, gateway_id, is_test }: Pick<AccountRow, 'adapter' | 'gateway_id' | 'is_test'>,
): Promise<AccountRow | undefined> {
  return tx.first(lockDisabled, { adapter, gatewayId: gateway_id, isTest: is_test })
}

export async function upsertAccount(tx: Tx, account: AccountValues): Promise<AccountRow> {
  return tx.one(upsert, {
    id: account.id,
    adapter: account.adapter,
    gatewayId: account.gateway_id,
    status: account.status,
    currencies: account.currencies,
    secretKey: account.secret_key,
    webhookSecret: account.webhook_secret,
    publishableKey: account.publishable_key,
    isTest: account.is_test,
  })
}

export function disableAccount(tx: Tx, id: string): Promise<AccountRow> {
  return tx.one(disable, { id })
}

/** Writes nothing when the state is unchanged. */
export async function setAccountState(
  tx: Tx,
  id: string,
  { status, currencies }: AccountState,
): Promise<void> {
  await tx.run(setState, { id, status, currencies })
}

/** Claims accounts that are due for a poll. */
export function claimAccountsToPoll(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  many: number,
  { pendingSeconds, seconds }: { pendingSeconds: number; seconds: number },
): Promise<(AccountRow & { organization_id: string })[]> {
  return crossTenant.rows(claimDue, { many, pendingSeconds, seconds })
}
