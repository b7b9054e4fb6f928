import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'

/** A user of an application, with the name of their client. */
export type ExternalUserRow = {
  application_id: string
  external_id: string
  client_id: string
  client_name: string
  name: string | null
  email: string | null
  created_at: string
  updated_at: string
}
type UserKey = { applicationId: string; userId: string }

const columns = `u.application_id, u.external_id, u.client_id, c.name as client_name, u.name, u.email, u.created_at,
  u.updated_at`
const withClient = 'join crm_client c on c.organization_id = $organization and c.id = u.client_id'
const one = `select ${columns} from external_user u ${withClient}
  where u.organization_id = $organization and u.application_id = $applicationId and u.external_id = $userId`
const select = sql<ExternalUserRow, UserKey>(one)
const lock = sql<ExternalUserRow, UserKey>(`${one} for no key update of u`)
const lockCreation = sql<never>(`select ${organizationLock('external-users')}`)
const upsert = sql<never, UserKey & { clientId: string; name: string | null; email: string | null }>(`
  insert into external_user as u (organization_id, application_id, external_id, client_id, name, email)
  values ($organization, $applicationId, $userId, $clientId, $name, $email)
  on conflict (organization_id, application_id, external_id) do update
    set client_id = excluded.client_id, name = excluded.name, email = excluded.email, updated_at = now()
    where u.organization_id = $organization`)
// ordered by the primary key
const page = sql<ExternalUserRow, { applicationId: string; limit: number; offset: number }>(`
  select ${columns} from external_user u ${withClient}
  where u.organization_id = $organization and u.application_id = $applicationId
  order by u.external_id limit $limit offset $offset`)
const count = sql<{ total: number }, { applicationId: string }>(`
  select count(*) as total from (
    select from external_user u where u.organization_id = $organization and u.application_id = $applicationId
    limit ${limits.invoicesCounted}) n`)

export function findUser(
  db: Db,
  applicationId: string,
  userId: string,
): Promise<ExternalUserRow | undefined> {
  return db.first(select, { applicationId, userId })
}

/** The same with a lock. */
export function lockUser(
  tx: Tx,
  applicationId: string,
  userId: string,
): Promise<ExternalUserRow | undefined> {
  return tx.first(lock, { applicationId, userId })
}

/** Until the transaction ends, nobody else creates a user or a client for one. */
export async function lockUserCreation(tx: Tx): Promise<void> {
  await tx.first(lockCreation)
}

export async function upsertUser(
  tx: Tx,
  user: Pick<ExternalUserRow, 'application_id' | 'external_id' | 'client_id' | 'name' | 'email'>,
): Promise<ExternalUserRow> {
  const { application_id: applicationId, external_id: userId } = user
  await tx.run(upsert, {
    applicationId,
    userId,
    clientId: user.client_id,
    name: user.name,
    email: user.email,
  })
  return tx.one(select, { applicationId, userId })
}

/** A page of an application's users, and their number. */
export async function listUsers(
  db: Db,
  applicationId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ExternalUserRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(page, { applicationId, limit, offset }),
    db.one(count, { applicationId }),
  ])
  return { rows, total: counted.total }
}
