import type Stripe from 'stripe'
import { itemAt } from '../../elements.ts'

/** The parts of Stripe's objects that the double implements. */
export type WireIntent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'currency'
  | 'client_secret'
  | 'created'
  | 'customer'
  | 'last_payment_error'
  | 'latest_charge'
  | 'livemode'
  | 'metadata'
  | 'next_action'
  | 'payment_method'
  | 'status'
>
export type WireSetup = Pick<
  Stripe.SetupIntent,
  | 'id'
  | 'object'
  | 'client_secret'
  | 'created'
  | 'customer'
  | 'livemode'
  | 'metadata'
  | 'payment_method'
  | 'status'
>
export type WireMethod = Pick<
  Stripe.PaymentMethod,
  'id' | 'object' | 'created' | 'customer' | 'livemode' | 'type'
> & {
  card: Pick<Stripe.PaymentMethod.Card, 'brand' | 'last4' | 'exp_month' | 'exp_year'>
}
export type WireRefund = Pick<
  Stripe.Refund,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'failure_reason'
  | 'metadata'
  | 'payment_intent'
  | 'reason'
  | 'status'
>
export type WireDispute = Pick<
  Stripe.Dispute,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'is_charge_refundable'
  | 'metadata'
  | 'payment_intent'
  | 'status'
> & { balance_transactions: Pick<Stripe.BalanceTransaction, 'amount'>[] }
export type WireMovement = Pick<
  Stripe.BalanceTransaction,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'type'
> & { source: object }

/** An error reply in Stripe's format. */
export class WireError extends Error {
  readonly status: number
  readonly error: Record<string, unknown>
  constructor(
    status: number,
    error: { type: string; code?: string; message: string } & Record<string, unknown>,
  ) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export function notValid(code: string, message: string, more: object = {}): WireError {
  return new WireError(400, { type: 'invalid_request_error', code, message, ...more })
}

export type Params = { [name: string]: string | Params }

/** `a[b]=c&d=e` → `{ a: { b: 'c' }, d: 'e' }`. */
export function paramsOf(text: string): Params {
  const params: Params = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[?/).filter(part => part !== '')
    let at = params
    for (const part of path.slice(0, -1)) {
      at[part] ??= {}
      at = at[part] as Params
    }
    at[itemAt(path, -1)] = value
  }
  return params
}

/** One page of a list, by `limit` and `starting_after`. */
export function pageOf<Item extends { id: string }>(items: Item[], { limit, starting_after }: Params) {
  const from = starting_after === undefined ? 0 : items.findIndex(({ id }) => id === starting_after) + 1
  const to = from + Number(limit ?? 10)
  return { object: 'list', url: '/', has_more: to < items.length, data: items.slice(from, to) }
}
