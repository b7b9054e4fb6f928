import { limits } from '#contract/limits.ts'
import type { Card } from '#platform/adapters/gateway.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'

export type CardRow = {
  id: string
  brand: string
  last4: string
  expires_month: number
  expires_year: number
  status: 'ACTIVE' | 'INACTIVE'
  created_at: string
}
/** A card that no authorization allows to charge, and that must still be detached at the gateway. */
export type UnusedCard = { gateway_account_id: string; gateway_method_id: string; poll_count: number }
type User = { applicationId: string; userId: string }

const columns = 'm.id, m.brand, m.last4, m.expires_month, m.expires_year, m.status, m.created_at'
const ofUser =
  'm.organization_id = $organization and m.application_id = $applicationId and m.external_user_id = $userId'
// index payment_method_of
const page = sql<CardRow, User & { limit: number; offset: number }>(
  `select ${columns} from payment_method m where ${ofUser}
    order by m.created_at desc, m.id desc limit $limit offset $offset`,
)
const count = sql<{ total: number }, User>(
  `select count(*) as total from (
     select from payment_method m where ${ofUser} limit ${limits.invoicesCounted}) n`,
)
const upsert = sql<
  { id: string },
  User & {
    id: string
    accountId: string
    cardId: string
    brand: string
    last4: string
    month: number
    year: number
  }
>(`
  insert into payment_method as m (organization_id, id, application_id, external_user_id, gateway_account_id,
    gateway_method_id, brand, last4, expires_month, expires_year, status)
  values ($organization, $id, $applicationId, $userId, $accountId, $cardId, $brand, $last4, $month, $year, 'ACTIVE')
  on conflict (organization_id, gateway_account_id, gateway_method_id) do update
    set updated_at = now() where m.organization_id = $organization and m.status = 'ACTIVE'
  returning m.id`)
const lockRow = sql<never, { id: string }>(
  `select from payment_method m where m.organization_id = $organization and m.id = $id for no key update`,
)
// index payment_authorization_card
const end = sql<never, { id: string }>(`
  update payment_method m set status = 'INACTIVE', next_poll_at = now(), updated_at = now()
  where m.organization_id = $organization and m.id = $id and m.status = 'ACTIVE' and not exists (
    select from payment_authorization a
    where a.organization_id = $organization and a.payment_method_id = m.id and a.status = 'ACTIVE'
      and (a.expires_at is null or a.expires_at > now()))`)
const selectUnused = sql<UnusedCard, { id: string }>(
  `select m.gateway_account_id, m.gateway_method_id, m.poll_count
   from payment_method m where m.organization_id = $organization and m.id = $id`,
)
const setNextPoll = sql<never, { id: string; after: number | null }>(
  `update payment_method m set next_poll_at = now() + make_interval(secs => $after)
   where m.organization_id = $organization and m.id = $id`,
)
const customer = sql<{ customer_id: string }, User & { accountId: string }>(
  `select c.customer_id from gateway_customer c where c.organization_id = $organization
    and c.application_id = $applicationId
   and c.external_user_id = $userId and c.gateway_account_id = $accountId`,
)
const insertCustomerRow = sql<never, User & { accountId: string; customerId: string }>(`
  insert into gateway_customer (organization_id, application_id, external_user_id, gateway_account_id, customer_id)
  values ($organization, $applicationId, $userId, $accountId, $customerId) on conflict do nothing`)

/** A page of a user's cards, the newest first, and their number. */
export async function listCards(
  db: Db,
  user: User,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: CardRow[]; total: number }> {
  const [rows, counted] = await Promise.all([db.rows(page, { ...user, limit, offset }), db.one(count, user)])
  return { rows, total: counted.total }
}

/** Stores a card and locks it. Returns its id; undefined for an INACTIVE card, which stays inactive. */
export async function upsertCard(
  tx: Tx,
  user: User,
  accountId: string,
  card: Card,
): Promise<string | undefined> {
  const { id, brand, last4, expiresMonth, expiresYear } = card
  const row = await tx.first(upsert, {
    id: newId(),
    ...user,
    accountId,
    cardId: id,
    brand,
    last4,
    month: expiresMonth,
    year: expiresYear,
  })
  return row?.id
}

/** Makes a card INACTIVE when no authorization allows to charge it, and schedules its detachment at the gateway. */
export async function endUnusedCard(tx: Tx, id: string): Promise<void> {
  // sent together, run in this order: an authorization that was given meanwhile is seen behind the lock
  await tx.inOrder(
    () => tx.run(lockRow, { id }),
    () => tx.run(end, { id }),
  )
}

export function findUnusedCard(db: Db, id: string): Promise<UnusedCard> {
  return db.one(selectUnused, { id })
}

/** Schedules the next attempt to detach a card; null: it is detached. */
export async function scheduleDetach(tx: Tx, id: string, after: number | null): Promise<void> {
  await tx.run(setNextPoll, { id, after })
}

/** The customer id of a user at the gateway, if any. */
export async function findCustomer(db: Db, user: User, accountId: string): Promise<string | undefined> {
  return (await db.first(customer, { ...user, accountId }))?.customer_id
}

/** The same for a user who has a customer id. */
export async function readCustomer(db: Db, user: User, accountId: string): Promise<string> {
  return (await db.one(customer, { ...user, accountId })).customer_id
}

/** The first stored customer wins; the other one has nothing and is dropped. */
export async function insertCustomer(
  tx: Tx,
  user: User,
  accountId: string,
  customerId: string,
): Promise<void> {
  await tx.run(insertCustomerRow, { ...user, accountId, customerId })
}
