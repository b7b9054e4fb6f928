import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** An authorization of a user, with the columns that decide whether it allows a charge. */
export type ChargeableAuthorization = {
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
export type ChargeableCard = {
  id: string
  gateway_account_id: string
  status: 'ACTIVE' | 'INACTIVE'
  gateway_method_id: string
}
/** The id of a user at an account of the gateway. */
export type PayerCustomer = { gateway_account_id: string; customer_id: string }
/** All authorizations, cards and customer ids of a user, at any account. */
export type Payer = {
  authorizations: ChargeableAuthorization[]
  cards: ChargeableCard[]
  customers: PayerCustomer[]
}

type PayerQuery = { invoiceId: string; authorizationId: string | undefined; methodId: string | undefined }

const ofUser = (each: string) =>
  `${each}.organization_id = $organization and ${each}.application_id = i.application_id
   and ${each}.external_user_id = i.external_user_id`

const selectAuthorizations = (which: string) =>
  `select p.id, p.gateway_account_id, p.status, coalesce(p.expires_at <= now(), false) as has_expired, p.scope,
     p.invoice_id, p.currency, p.limit_cents, p.payment_method_id
   from invoice i join payment_authorization p on ${ofUser('p')} and ${which}
   where i.organization_id = $organization and i.id = $invoiceId
   order by p.created_at desc, p.id desc`
const selectCardsWhere = (which: string) =>
  `select m.id, m.gateway_account_id, m.status, m.gateway_method_id
   from invoice i join payment_method m on ${ofUser('m')} and ${which}
   where i.organization_id = $organization and i.id = $invoiceId`
// index payment_authorization_active; the lock orders a revocation before or after this charge
const selectActive = sql<ChargeableAuthorization, { invoiceId: string }>(
  `${selectAuthorizations(`p.status = 'ACTIVE'`)} for share of p`,
)
// index payment_method_active
const selectCards = sql<ChargeableCard, { invoiceId: string }>(selectCardsWhere(`m.status = 'ACTIVE'`))
const selectNamed = sql<ChargeableAuthorization, { invoiceId: string; id: string }>(
  selectAuthorizations(`p.status <> 'ACTIVE' and p.id = $id`),
)
const selectNamedCard = sql<
  ChargeableCard,
  { invoiceId: string; id: string | null; authorizationId: string | null }
>(
  selectCardsWhere(`m.status <> 'ACTIVE' and m.id in ($id, (
     select a.payment_method_id from payment_authorization a
     where a.organization_id = $organization and a.id = $authorizationId))`),
)
// primary key of gateway_customer, for each of the organization's few accounts
const selectCustomers = sql<PayerCustomer, { invoiceId: string }>(
  `select c.gateway_account_id, c.customer_id
   from invoice i join gateway_account g on g.organization_id = $organization
     join gateway_customer c on ${ofUser('c')} and c.gateway_account_id = g.id
   where i.organization_id = $organization and i.id = $invoiceId`,
)

/**
 * The payer of an invoice: active authorizations (the newest first) and cards, and the requested ones in any state.
 * Empty for an invoice that belongs to no application.
 */
export async function loadPayer(
  tx: Tx,
  { invoiceId, authorizationId, methodId }: PayerQuery,
): Promise<Payer> {
  const [named, active, namedCards, cards, customers] = await Promise.all([
    authorizationId === undefined ? [] : tx.rows(selectNamed, { invoiceId, id: authorizationId }),
    tx.rows(selectActive, { invoiceId }),
    tx.rows(selectNamedCard, { invoiceId, id: methodId ?? null, authorizationId: authorizationId ?? null }),
    tx.rows(selectCards, { invoiceId }),
    tx.rows(selectCustomers, { invoiceId }),
  ])
  return { authorizations: [...named, ...active], cards: [...namedCards, ...cards], customers }
}
