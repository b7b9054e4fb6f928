import { createRemittance } from '#contract/billing/direct-debits.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lookUp } from '#platform/required.ts'
import { assertPayable } from '../../charges/charge/start-charge.ts'
import { emitChargeEvent } from '../../charges/charge.events.ts'
import type { AttemptRow } from '../../charges/charge.row.ts'
import { findOpenAttempts } from '../../charges/charge.sql.ts'
import { assertAccessible, lockInvoices } from '../../invoices/invoice.access.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { dueOf } from '../../invoices/invoice.rules.ts'
import { nextSequences } from '../../invoices/invoice.sql.ts'
import { refuse } from '../account.rules.ts'
import { lockCreditor } from '../creditor.sql.ts'
import { insertDirectDebits, type NewDirectDebit } from '../direct-debit.sql.ts'
import { newestActiveMandates } from '../mandates/mandate.sql.ts'
import { showWholeRemittance } from './remittance.json.ts'
import { insertRemittance } from './remittance.sql.ts'

const dayMs = 86_400_000

/**
 * Prepares a remittance: one direct debit for each invoice, or nothing (SDD-6). The number of statements does not depend on
 * the number of invoices.
 */
export const create = command(createRemittance, async ({ tx, caller, body, audit }) => {
  assertCollectionDate(body.collectionDate, nowMs())
  const creditor = (await lockCreditor(tx)) ?? fail('CREDITOR_REQUIRED')
  const id = newId()
  const { collectionDate } = body
  const invoiceIds = [...body.invoiceIds].sort()
  await insertRemittance(tx, { id, collectionDate, creditor, by: caller.personId })
  // sent together, run in this order: the second sees the payments that the previous holders of the locks started
  const [invoices, openAttempts] = await tx.inOrder(
    () => lockInvoices(tx, invoiceIds),
    () => findOpenAttempts(tx, invoiceIds),
  )
  const debits = await chooseDebits(tx, caller, { invoiceIds, invoices, openAttempts })
  const refused = await insertDirectDebits(tx, id, debits)
  if (refused !== undefined) fail('CHARGE_IN_PROGRESS', { invoiceId: refused })
  await emitStarted(tx, debits, invoices)
  audit(id, ['collectionDate', 'invoiceIds'], { collectionDate, count: invoiceIds.length })
  return showWholeRemittance(tx, id)
})

type Collected = {
  invoiceIds: readonly string[]
  invoices: ReadonlyMap<string, InvoiceRow>
  openAttempts: ReadonlyMap<string, AttemptRow>
}

/** One direct debit for each invoice, or the refusal of the first invoice that cannot be collected. */
async function chooseDebits(
  tx: Tx,
  caller: Caller,
  { invoiceIds, invoices, openAttempts }: Collected,
): Promise<NewDirectDebit[]> {
  const perClient = new Map<string, number>()
  for (const { client_id } of invoices.values()) perClient.set(client_id, (perClient.get(client_id) ?? 0) + 1)
  const mandates = await newestActiveMandates(tx, perClient)
  return invoiceIds.map(invoiceId => {
    const invoice = assertAccessible(invoices.get(invoiceId), caller)
    const open = openAttempts.get(invoiceId)
    assertPayable(invoice, open)
    // a payment that waits for its payer is not cancelled for a direct debit
    if (open) fail('CHARGE_IN_PROGRESS', { paymentIntentId: open.payment_intent_id, invoiceId })
    if (invoice.currency !== 'eur') fail('BILLING_CURRENCY_NOT_SUPPORTED', { invoiceId })
    const usable = mandates.get(invoice.client_id) ?? []
    const mandate = usable[0] ?? fail('MANDATE_REQUIRED', { invoiceId })
    // it allows one collection
    if (mandate.kind === 'OOFF') usable.shift()
    return { id: newId(), invoiceId, amountCents: dueOf(invoice), mandateId: mandate.id }
  })
}

async function emitStarted(
  tx: Tx,
  debits: readonly NewDirectDebit[],
  invoices: ReadonlyMap<string, InvoiceRow>,
): Promise<void> {
  const forApplications = [...invoices.values()].filter(({ application_id }) => application_id !== null)
  const sequences = await nextSequences(
    tx,
    forApplications.map(({ id }) => id),
  )
  for (const { id, invoiceId, amountCents } of debits) {
    const attempt = {
      id,
      kind: 'DIRECT_DEBIT',
      application_id: null,
      payment_intent_id: null,
      amount_cents: amountCents,
      authorization_id: null,
    } as const
    const invoice = lookUp(invoices, invoiceId)
    await emitChargeEvent(tx, invoice, attempt, 'CHARGE_STARTED', {}, sequences.get(invoiceId))
  }
}

/** Banks accept a direct debit one day before its collection at the latest. */
function assertCollectionDate(day: string, ms: number): void {
  const dayAfter = (days: number) => new Date(ms + days * dayMs).toISOString().slice(0, 10)
  if (day <= dayAfter(0) || day > dayAfter(limits.remittanceDaysAhead))
    refuse('collectionDate', `must be after today and within ${limits.remittanceDaysAhead} days`)
}
