import { createRemittance } from '#contract/billing/direct-debits.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { assertPayable } from '../../charges/charge/start-charge.ts'
import { emitChargeEvent } from '../../charges/charge.events.ts'
import { findOpenAttempt } from '../../charges/charge.sql.ts'
import { lockInvoice } from '../../invoices/invoice.access.ts'
import { dueOf } from '../../invoices/invoice.rules.ts'
import { refuse } from '../account.rules.ts'
import { lockCreditor } from '../creditor.sql.ts'
import { insertDirectDebit } from '../direct-debit.sql.ts'
import { newestActiveMandate } from '../mandates/mandate.sql.ts'
import { showWholeRemittance } from './remittance.json.ts'
import { insertRemittance } from './remittance.sql.ts'

const dayMs = 86_400_000

/** Prepares a remittance: one direct debit for each invoice, or nothing (SDD-6). */
export const create = command(createRemittance, async ({ tx, caller, body, audit }) => {
  assertCollectionDate(body.collectionDate, nowMs())
  const creditor = (await lockCreditor(tx)) ?? fail('CREDITOR_REQUIRED')
  const id = newId()
  const { collectionDate, invoiceIds } = body
  await insertRemittance(tx, { id, collectionDate, creditor, by: caller.personId })
  // in one order, so that two remittances cannot wait for each other
  for (const invoiceId of [...invoiceIds].sort()) await addInvoice(tx, caller, id, invoiceId)
  audit(id, ['collectionDate', 'invoiceIds'], { collectionDate, count: invoiceIds.length })
  return showWholeRemittance(tx, id)
})

async function addInvoice(tx: Tx, caller: Caller, remittanceId: string, invoiceId: string): Promise<void> {
  const invoice = await lockInvoice(tx, caller, invoiceId)
  const open = await findOpenAttempt(tx, invoiceId)
  assertPayable(invoice, open)
  // a payment that waits for its payer is not cancelled for a direct debit
  if (open) fail('CHARGE_IN_PROGRESS', { paymentIntentId: open.payment_intent_id, invoiceId })
  if (invoice.currency !== 'eur') fail('BILLING_CURRENCY_NOT_SUPPORTED', { invoiceId })
  const mandate =
    (await newestActiveMandate(tx, invoice.client_id)) ?? fail('MANDATE_REQUIRED', { invoiceId })
  const debit = {
    id: newId(),
    invoiceId,
    amountCents: dueOf(invoice),
    currency: invoice.currency,
    remittanceId,
    mandateId: mandate.id,
  }
  if (!(await insertDirectDebit(tx, debit))) fail('CHARGE_IN_PROGRESS', { invoiceId })
  const attempt = {
    id: debit.id,
    kind: 'DIRECT_DEBIT',
    application_id: null,
    payment_intent_id: null,
    amount_cents: debit.amountCents,
    authorization_id: null,
  } as const
  await emitChargeEvent(tx, invoice, attempt, 'CHARGE_STARTED', {})
}

/** Banks accept a direct debit one day before its collection at the latest. */
function assertCollectionDate(day: string, ms: number): void {
  const dayAfter = (days: number) => new Date(ms + days * dayMs).toISOString().slice(0, 10)
  if (day <= dayAfter(0) || day > dayAfter(limits.remittanceDaysAhead))
    refuse('collectionDate', `must be after today and within ${limits.remittanceDaysAhead} days`)
}
