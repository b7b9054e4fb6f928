import type { EntryEffect } from '#contract/billing/direct-debits.ts'
import { now } from '#platform/clock.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { required } from '#platform/required.ts'
import type { AttemptRow } from '../../charges/charge.row.ts'
import { lockAttempt } from '../../charges/charge.sql.ts'
import type { PaymentContext } from '../../charges/payment-context.ts'
import { bookCollected, failAttempt } from '../../charges/settle.ts'
import { lockInvoiceById } from '../../invoices/invoice.access.ts'
import { emitInvoiceEvent } from '../../invoices/invoice.events.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { appendNote } from '../../invoices/invoice.sql.ts'
import { bookReversal, readPaymentOfAttempt } from '../../payments/payment.sql.ts'
import { type DirectDebitRow, readDirectDebit, setDirectDebitOutcome } from '../direct-debit.sql.ts'
import { lockRemittance, setRemittanceSent } from '../remittances/remittance.sql.ts'
import { effectOf, isRecorded } from './entry-effect.ts'
import type { ReportedResult } from './parse-bank-file.ts'

/**
 * Records what the bank reports about a direct debit, under the locks of its remittance, invoice and attempt (SDD-11).
 * Results arrive in any order and repeatedly; money is booked once. Returns the effect.
 */
export async function settleDirectDebit(
  tx: Tx,
  context: Pick<PaymentContext, 'log'>,
  caller: Caller,
  known: DirectDebitRow,
  reported: ReportedResult,
): Promise<EntryEffect> {
  const remittance = required(
    await lockRemittance(tx, known.remittance_id),
    'the remittance of a direct debit',
  )
  const invoice = await lockInvoiceById(tx, known.invoice_id)
  const attempt = await lockAttempt(tx, known.id)
  const debit = await readDirectDebit(tx, known.id)
  const effect = effectOf(debit, reported)
  if (!isRecorded(effect)) return effect
  // the bank has the file, whatever was noted here
  if (remittance.state === 'PREPARED') await setRemittanceSent(tx, remittance.id)
  const { reasonCode } = reported
  if (effect === 'COLLECTED') await collect(tx, context, invoice, attempt, reported)
  else if (debit.outcome === 'COLLECTED') await takeBack(tx, caller, invoice, attempt, reasonCode)
  else await failAttempt(tx, invoice, attempt, failureOf(effect, reasonCode))
  await setDirectDebitOutcome(tx, debit.id, effect, reasonCode)
  return effect
}

async function collect(
  tx: Tx,
  context: Pick<PaymentContext, 'log'>,
  invoice: InvoiceRow,
  attempt: AttemptRow,
  { bookedOn }: ReportedResult,
): Promise<void> {
  const isPast = bookedOn !== null && bookedOn <= now().toISOString().slice(0, 10)
  await bookCollected(tx, context, invoice, attempt, {
    intentId: null,
    amountCents: attempt.amount_cents,
    currency: attempt.currency,
    paidAt: isPast ? `${bookedOn}T00:00:00.000Z` : null,
  })
}

/** Reverses the payment of a direct debit that was returned, unless a person has reversed it. */
async function takeBack(
  tx: Tx,
  caller: Caller,
  invoice: InvoiceRow,
  attempt: AttemptRow,
  reasonCode: string | null,
): Promise<void> {
  const payment = await readPaymentOfAttempt(tx, invoice.id, attempt.id)
  if (payment.reversed_at !== null) return
  const reason = `Direct debit returned${reasonCode === null ? '' : ` (${reasonCode})`}`
  const { reversed_at: reversedAt, ...booked } = await bookReversal(tx, {
    paymentId: payment.id,
    by: caller.personId,
    reason,
  })
  await appendNote(tx, invoice.id, `${reversedAt.slice(0, 10)} ${reason}`)
  await emitInvoiceEvent(tx, caller, { ...invoice, ...booked }, 'INVOICE_PAYMENT_REVERSED', {
    source: 'bank',
    paymentId: payment.id,
    method: payment.method,
    amountCents: payment.amount_cents,
    reversedAt,
  })
}

function failureOf(effect: 'REJECTED' | 'RETURNED', reasonCode: string | null) {
  const verb = effect === 'REJECTED' ? 'rejected' : 'returned'
  return {
    code: `direct_debit_${verb}`,
    declineCode: reasonCode,
    message: `The bank ${verb} the direct debit${reasonCode === null ? '' : ` (${reasonCode})`}.`,
  }
}
