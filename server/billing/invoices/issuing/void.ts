import { voidInvoice } from '#contract/billing/invoices.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { writeCancellation } from '../../tax-records/write-record.ts'
import { lockInvoice, lockInvoiceById } from '../invoice.access.ts'
import { emitInvoiceEvent } from '../invoice.events.ts'
import type { InvoiceRow } from '../invoice.row.ts'
import { assertIssued } from '../invoice.rules.ts'
import { recountRectified, setVoided } from '../invoice.sql.ts'
import { hasIssuedRectification } from '../rectifying/rectifying.sql.ts'
import { showWholeInvoice } from '../show-invoice.ts'
import { assertNoOpenPayment, withoutOpenPayment } from '../without-open-payment.ts'

export const voided = workflow(voidInvoice, input => {
  const { caller, params, body } = input
  return withoutOpenPayment(
    voidInvoice,
    input,
    { subject: params.id, changed: ['status'] },
    async (tx, once) => {
      const invoice = await lockInvoice(tx, caller, params.id, body.userId)
      return once(async () => showWholeInvoice(tx, caller, await voidLocked(tx, caller, invoice)))
    },
  )
})

async function voidLocked(tx: Tx, caller: Caller, invoice: InvoiceRow): Promise<InvoiceRow> {
  assertIssued(invoice)
  if (await hasIssuedRectification(tx, invoice.id)) fail('INVOICE_RECTIFIED')
  if (invoice.paid_cents > invoice.refunded_cents) fail('INVOICE_HAS_MONEY')
  await assertNoOpenPayment(tx, invoice.id)
  const { rectifies_invoice_id: rectifiedId } = invoice
  if (rectifiedId !== null) {
    await lockInvoiceById(tx, rectifiedId)
    await assertNoOpenPayment(tx, rectifiedId)
  }
  const voided = await setVoided(tx, invoice.id)
  if (rectifiedId !== null) await recountRectified(tx, rectifiedId)
  await emitInvoiceEvent(tx, caller, voided, 'INVOICE_VOIDED', {
    voidedAt: voided.voided_at,
    rectifiesInvoiceId: rectifiedId,
  })
  // its chain is locked after everything else
  if (voided.tax_record_mode !== null) await writeCancellation(tx, voided)
  return voided
}
