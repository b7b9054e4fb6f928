import type { Static } from 'typebox'
import { operation } from '../operation.ts'
import { Cents, Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toView } from './auth.ts'

export const ledgerKinds = ['PAYMENT', 'PAYMENT_REVERSAL', 'REFUND', 'REVERSAL', 'DISPUTE'] as const
export const LedgerEntry = Type.Object({
  id: Id,
  kind: OneOf(ledgerKinds, {
    description:
      'PAYMENT_REVERSAL: a manual payment was reversed; REVERSAL: a refund came back; DISPUTE: the card ' +
      'holder disputed a payment',
  }),
  amountCents: Type.Integer({
    description: 'Incoming money is positive. In the smallest unit of the currency',
  }),
  currency: Type.String(),
  paymentId: Id,
  gatewayObjectId: Nullable(
    Type.String({ description: 'A payment intent, a refund or a dispute; null: a manual payment' }),
  ),
  at: Time,
})
export type LedgerEntry = Static<typeof LedgerEntry>

export const listLedger = operation('GET /ledger', {
  ...toView,
  summary: 'List the money movements of an invoice, oldest first',
  description: 'Entries never change: a correction is an entry with the opposite sign.',
  query: { invoiceId: Id },
  reply: Type.Object({ items: Type.Array(LedgerEntry), balanceCents: Cents }),
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
