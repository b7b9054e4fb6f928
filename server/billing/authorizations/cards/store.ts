import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'
import { newId } from '#platform/ids.ts'
import type { Card } from '#platform/outside/gateway.ts'

/** A card as it is kept. */
export type CardRow = {
  id: string
  brand: string
  last4: string
  expires_month: number
  expires_year: number
  status: 'ACTIVE' | 'INACTIVE'
  created_at: string
}
type User = [applicationId: string, userId: string]

const columns = 'm.id, m.brand, m.last4, m.expires_month, m.expires_year, m.status, m.created_at'
const ofUser = 'm.organization_id = $1 and m.application_id = $2 and m.external_user_id = $3'
// index payment_method_of
const page = sql<CardRow, [...User, limit: number, offset: number]>(
  `select ${columns} from payment_method m where ${ofUser} order by m.created_at desc, m.id desc limit $4 offset $5`,
)
const count = sql<{ total: number }, User>(
  `select count(*) as total from (
     select from payment_method m where ${ofUser} limit ${limits.invoicesCounted}) n`,
)
const put = sql<
  { id: string },
  [
    id: string,
    ...User,
    accountId: string,
    ...[cardId: string, brand: string, last4: string, month: number, year: number],
  ]
>(`
  insert into payment_method as m (organization_id, id, application_id, external_user_id, gateway_account_id,
    gateway_method_id, brand, last4, expires_month, expires_year, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'ACTIVE')
  on conflict (organization_id, gateway_account_id, gateway_method_id) do update
    set status = 'ACTIVE', updated_at = now() where m.organization_id = $1
  returning m.id`)
// index payment_authorization_card
const end = sql<never, [id: string]>(`
  update payment_method m set status = 'INACTIVE', updated_at = now()
  where m.organization_id = $1 and m.id = $2 and m.status = 'ACTIVE' and not exists (
    select from payment_authorization a
    where a.organization_id = $1 and a.payment_method_id = m.id and a.status = 'ACTIVE')`)
const customer = sql<{ customer_id: string }, [...User, accountId: string]>(
  `select c.customer_id from gateway_customer c where c.organization_id = $1 and c.application_id = $2
   and c.external_user_id = $3 and c.gateway_account_id = $4`,
)
const keepCustomer = sql<never, [...User, accountId: string, customerId: string]>(`
  insert into gateway_customer (organization_id, application_id, external_user_id, gateway_account_id, customer_id)
  values ($1, $2, $3, $4, $5) on conflict do nothing`)

/** A page of the cards of a user, the newest first, and how many there are. */
export async function listCards(
  db: Db,
  user: User,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: CardRow[]; total: number }> {
  const [rows, counted] = await Promise.all([db.rows(page, ...user, limit, offset), db.first(count, ...user)])
  return { rows, total: counted!.total }
}

/** Keeps a card of a user as the gateway tells of it, and answers by which id. */
export async function putCard(tx: Tx, user: User, accountId: string, card: Card): Promise<string> {
  const { id, brand, last4, expiresMonth, expiresYear } = card
  const row = await tx.first(put, newId(), ...user, accountId, id, brand, last4, expiresMonth, expiresYear)
  return row!.id
}

/** A card that no authorization allows to charge any more is not charged. */
export async function endUnusedCard(tx: Tx, id: string): Promise<void> {
  await tx.run(end, id)
}

/** As the gateway calls a user; undefined when it does not know them. */
export async function customerOf(db: Db, user: User, accountId: string): Promise<string | undefined> {
  return (await db.first(customer, ...user, accountId))?.customer_id
}

/** Who comes second keeps the first one: the other has nothing and is forgotten. */
export async function putCustomer(tx: Tx, user: User, accountId: string, customerId: string): Promise<void> {
  await tx.run(keepCustomer, ...user, accountId, customerId)
}
