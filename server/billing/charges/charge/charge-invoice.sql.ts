import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'

/** An authorization of a user, with what decides whether it allows a charge. */
export type Authorization = {
  id: string
  gateway_account_id: string
  status: 'PENDING' | 'ACTIVE' | 'REVOKED'
  has_expired: boolean
  scope: 'RECURRING' | 'SINGLE'
  invoice_id: string | null
  currency: string
  limit_cents: number | null
  payment_method_id: string | null
}
/** A card of a user. */
export type Card = {
  id: string
  gateway_account_id: string
  status: 'ACTIVE' | 'INACTIVE'
  gateway_method_id: string
}
/** A user of an application, as an account of the gateway calls them. */
export type Customer = { gateway_account_id: string; customer_id: string }
/** What a user of an application has given to be charged by, at whichever account. */
export type Payer = { authorizations: Authorization[]; cards: Card[]; customers: Customer[] }

type Asked = { invoiceId: string; authorizationId: string | undefined; methodId: string | undefined }

const ofUser = (each: string) =>
  `${each}.organization_id = $1 and ${each}.application_id = i.application_id
   and ${each}.external_user_id = i.external_user_id`

const authorizations = (which: string) =>
  `select p.id, p.gateway_account_id, p.status, coalesce(p.expires_at <= now(), false) as has_expired, p.scope,
     p.invoice_id, p.currency, p.limit_cents, p.payment_method_id
   from invoice i join payment_authorization p on ${ofUser('p')} and ${which}
   where i.organization_id = $1 and i.id = $2
   order by p.created_at desc, p.id desc`
const cards = (which: string) =>
  `select m.id, m.gateway_account_id, m.status, m.gateway_method_id
   from invoice i join payment_method m on ${ofUser('m')} and ${which}
   where i.organization_id = $1 and i.id = $2`
// index payment_authorization_active; who revokes one comes before this charge or after it
const selectActive = sql<Authorization, [invoiceId: string]>(
  `${authorizations(`p.status = 'ACTIVE'`)} for share of p`,
)
// index payment_method_active
const selectCards = sql<Card, [invoiceId: string]>(cards(`m.status = 'ACTIVE'`))
const selectNamed = sql<Authorization, [invoiceId: string, id: string]>(
  authorizations(`p.status <> 'ACTIVE' and p.id = $3`),
)
const selectNamedCard = sql<Card, [invoiceId: string, id: string | null, authorizationId: string | null]>(
  cards(`m.status <> 'ACTIVE' and m.id in ($3, (
     select a.payment_method_id from payment_authorization a where a.organization_id = $1 and a.id = $4))`),
)
// by the key of gateway_customer, for each of the few accounts that there ever were
const selectCustomers = sql<Customer, [invoiceId: string]>(
  `select c.gateway_account_id, c.customer_id
   from invoice i join gateway_account g on g.organization_id = $1
     join gateway_customer c on ${ofUser('c')} and c.gateway_account_id = g.id
   where i.organization_id = $1 and i.id = $2`,
)

/**
 * The payer of an invoice, with the authorizations and cards that they can be charged by, the newest authorization first, and
 * those that are named, whatever they are at: with nothing, where it is of no application.
 */
export async function payerOf(tx: Tx, { invoiceId, authorizationId, methodId }: Asked): Promise<Payer> {
  const [named, active, namedCards, cards, customers] = await Promise.all([
    authorizationId === undefined ? [] : tx.rows(selectNamed, invoiceId, authorizationId),
    tx.rows(selectActive, invoiceId),
    tx.rows(selectNamedCard, invoiceId, methodId ?? null, authorizationId ?? null),
    tx.rows(selectCards, invoiceId),
    tx.rows(selectCustomers, invoiceId),
  ])
  return { authorizations: [...named, ...active], cards: [...namedCards, ...cards], customers }
}
