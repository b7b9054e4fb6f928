import Type, { type Static } from 'typebox'
import { operation } from '../operation.ts'
import { Cents, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { toView } from './auth.ts'

export const ledgerKinds = ['PAYMENT', 'PAYMENT_REVERSAL', 'REFUND', 'REVERSAL', 'DISPUTE'] as const
export const LedgerEntry = Type.Object({
  id: Id,
  kind: OneOf(ledgerKinds, {
    description:
      'PAYMENT_REVERSAL: a payment by hand was reversed; REVERSAL: a refund came back; DISPUTE: the card holder objected',
  }),
  amountCents: Type.Integer({
    description: 'What came in is positive. In the smallest unit of the currency',
  }),
  currency: Type.String(),
  paymentId: Id,
  gatewayObjectId: Nullable(
    Type.String({ description: 'Of the gateway: a payment intent, a refund or a dispute; null: by hand' }),
  ),
  at: Time,
})
export type LedgerEntry = Static<typeof LedgerEntry>

export const listLedger = operation('GET /ledger', {
  ...toView,
  summary: 'Every movement of money of an invoice, the oldest first',
  description: 'Entries are written once and never changed: what is undone is entered again the other way.',
  query: { invoiceId: Id },
  reply: Type.Object({ items: Type.Array(LedgerEntry), balanceCents: Cents }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
