import {
  cancelRemittance,
  listCollectableInvoices,
  listRemittances as listRemittancesContract,
  readRemittance,
  sendRemittance,
} from '#contract/billing/direct-debits.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { paymentCanceled } from '../../charges/charge.rules.ts'
import { lockAttempt } from '../../charges/charge.sql.ts'
import { failAttempt } from '../../charges/settle.ts'
import { lockInvoiceById } from '../../invoices/invoice.access.ts'
import { directDebitsOf, setDirectDebitOutcome } from '../direct-debit.sql.ts'
import { showRemittance, showWholeRemittance } from './remittance.json.ts'
import {
  listCollectable,
  listRemittances,
  lockRemittance,
  setRemittanceCancelled,
  setRemittanceSent,
} from './remittance.sql.ts'

export const listInvoices = query(listCollectableInvoices, async ({ db }) => ({
  items: await listCollectable(db),
}))

export const list = query(listRemittancesContract, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const { rows, total } = await listRemittances(db, { limit, offset })
  return { items: rows.map(showRemittance), total, limit, offset }
})

export const read = query(readRemittance, ({ db, params }) => showWholeRemittance(db, params.id))

/** Marks a remittance as sent (SDD-9). */
export const send = command(sendRemittance, async ({ tx, params: { id }, audit }) => {
  const remittance = (await lockRemittance(tx, id)) ?? fail('REMITTANCE_NOT_FOUND')
  if (remittance.state === 'CANCELLED') fail('REMITTANCE_STATE_INVALID')
  const changes = remittance.state === 'PREPARED'
  audit(id, changes ? ['state'] : [])
  if (changes) await setRemittanceSent(tx, id)
  return showWholeRemittance(tx, id)
})

/** Cancels a remittance that was not sent (SDD-8). */
export const cancel = command(cancelRemittance, async ({ tx, params: { id }, audit }) => {
  const remittance = (await lockRemittance(tx, id)) ?? fail('REMITTANCE_NOT_FOUND')
  if (remittance.state === 'SENT') fail('REMITTANCE_STATE_INVALID')
  const changes = remittance.state === 'PREPARED'
  audit(id, changes ? ['state'] : [])
  if (changes) {
    const debits = await directDebitsOf(tx, id)
    // invoices are locked in one order
    for (const debit of debits.sort((one, other) => (one.invoice_id < other.invoice_id ? -1 : 1)))
      await cancelDebit(tx, debit.id, debit.invoice_id)
    await setRemittanceCancelled(tx, id)
  }
  return showWholeRemittance(tx, id)
})

async function cancelDebit(tx: Tx, id: string, invoiceId: string): Promise<void> {
  const invoice = await lockInvoiceById(tx, invoiceId)
  const attempt = await lockAttempt(tx, id)
  await failAttempt(tx, invoice, attempt, paymentCanceled)
  await setDirectDebitOutcome(tx, id, 'CANCELLED', null)
}
