import { secondCall } from '#contract/error-body.ts'
import { fail } from '#platform/fail.ts'
import type { AccountRow } from '../../gateway/account/gateway-account.sql.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { dueOf } from '../../invoices/invoice.rules.ts'
import type { ChargeableAuthorization, ChargeableCard, Payer } from './charge-invoice.sql.ts'

/** The two calls that create a missing authorization, in this order (CHG-6). */
const nextStep = {
  operation: 'GET /payment-authorizations/consent-text',
  [secondCall]: 'POST /payment-authorizations',
  scope: 'RECURRING',
} as const

/** The account of the organization, when it is ready and supports the currency. */
export function usableAccount(account: AccountRow | undefined, currency: string): AccountRow {
  if (account?.status !== 'READY') fail('GATEWAY_ACCOUNT_NOT_READY')
  if (!account.currencies.includes(currency)) fail('BILLING_CURRENCY_NOT_SUPPORTED')
  return account
}

/**
 * Chooses the authorization and the card for a charge: the requested ones, or the newest authorization that allows
 * it and the card of that (CHG-7 to CHG-9).
 */
export function chooseCard(
  whole: Payer,
  invoice: InvoiceRow,
  accountId: string,
  named: { authorizationId: string | undefined; methodId: string | undefined },
): { authorization: ChargeableAuthorization; card: ChargeableCard; customerId: string | null } {
  const payer = payerAtAccount(whole, accountId)
  const authorization = named.authorizationId
    ? namedAuthorization(payer, invoice, named.authorizationId)
    : payer.authorizations.find(
        each => isValid(each) && allows(each, invoice) && hasCard(payer, each, named.methodId),
      )
  if (!authorization) fail('PAYMENT_AUTHORIZATION_REQUIRED', { nextStep })
  const cardId = named.methodId ?? authorization.payment_method_id
  const card = payer.cards.find(({ id }) => id === cardId) ?? fail('PAYMENT_METHOD_NOT_FOUND')
  if (card.status !== 'ACTIVE') fail('PAYMENT_METHOD_INACTIVE')
  return { authorization, card, customerId: payer.customers[0]?.customer_id ?? null }
}

/** The authorizations, cards and customers of a payer at one account. Cards and authorizations of another account cannot be charged here. */
function payerAtAccount({ authorizations, cards, customers }: Payer, accountId: string): Payer {
  const isThere = ({ gateway_account_id }: { gateway_account_id: string }) => gateway_account_id === accountId
  return {
    authorizations: authorizations.filter(isThere),
    cards: cards.filter(isThere),
    customers: customers.filter(isThere),
  }
}

function namedAuthorization(
  payer: Payer,
  invoice: InvoiceRow,
  id: string,
): ChargeableAuthorization | undefined {
  const authorization = payer.authorizations.find(each => each.id === id)
  if (!authorization) return undefined
  if (!isValid(authorization)) fail('PAYMENT_AUTHORIZATION_NOT_ACTIVE')
  return allows(authorization, invoice) ? authorization : undefined
}

function isValid({ status, has_expired }: ChargeableAuthorization): boolean {
  return status === 'ACTIVE' && !has_expired
}

function allows(authorization: ChargeableAuthorization, invoice: InvoiceRow): boolean {
  const { scope, invoice_id, currency, limit_cents } = authorization
  return (
    (scope === 'RECURRING' || invoice_id === invoice.id) &&
    currency === invoice.currency &&
    (limit_cents === null || dueOf(invoice) <= limit_cents)
  )
}

/** Without a requested card the authorization needs an active one of its own. */
function hasCard(
  { cards }: Payer,
  authorization: ChargeableAuthorization,
  methodId: string | undefined,
): boolean {
  if (methodId !== undefined) return true
  return cards.some(({ id }) => id === authorization.payment_method_id)
}
