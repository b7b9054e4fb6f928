import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/statement.ts'

/** An authorization of a user, with what decides whether it allows a charge. */
export type Authorization = {
  id: string
  status: 'PENDING' | 'ACTIVE' | 'REVOKED'
  has_expired: boolean
  scope: 'RECURRING' | 'SINGLE'
  invoice_id: string | null
  currency: string
  limit_cents: number | null
  payment_method_id: string | null
}
/** A card of a user. */
export type Card = { id: string; status: 'ACTIVE' | 'INACTIVE'; gateway_method_id: string }
/** What a user of an application has given to be charged by. */
export type Payer = { authorizations: Authorization[]; cards: Card[]; customerId: string | null }
type User = [applicationId: string, userId: string]

// index payment_authorization_of
const selectAuthorizations = sql<Authorization, [...User, accountId: string]>(
  `select p.id, p.status, coalesce(p.expires_at <= now(), false) as has_expired, p.scope, p.invoice_id, p.currency,
     p.limit_cents, p.payment_method_id
   from payment_authorization p
   where p.organization_id = $1 and p.application_id = $2 and p.external_user_id = $3 and p.gateway_account_id = $4
   order by p.created_at desc, p.id desc`,
)
// index payment_method_of
const selectCards = sql<Card, [...User, accountId: string]>(
  `select m.id, m.status, m.gateway_method_id from payment_method m
   where m.organization_id = $1 and m.application_id = $2 and m.external_user_id = $3 and m.gateway_account_id = $4`,
)
const selectCustomer = sql<{ customer_id: string }, [...User, accountId: string]>(
  `select c.customer_id from gateway_customer c
   where c.organization_id = $1 and c.application_id = $2 and c.external_user_id = $3 and c.gateway_account_id = $4`,
)

/** The newest authorization comes first. */
export async function payerOf(
  tx: Tx,
  accountId: string,
  applicationId: string,
  userId: string,
): Promise<Payer> {
  const [authorizations, cards, customer] = await Promise.all([
    tx.rows(selectAuthorizations, applicationId, userId, accountId),
    tx.rows(selectCards, applicationId, userId, accountId),
    tx.first(selectCustomer, applicationId, userId, accountId),
  ])
  return { authorizations, cards, customerId: customer?.customer_id ?? null }
}
