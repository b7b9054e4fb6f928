import { voidInvoice } from '#contract/billing/invoices.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { fail } from '#platform/fail.ts'
import { steps } from '#platform/serve.ts'
import { lockInvoice, lockInvoiceById } from '../access.ts'
import { assertAtRest, onceAtRest } from '../at-rest.ts'
import { wholeInvoiceOf } from '../beside.ts'
import { isRectified } from '../rectifying/store.ts'
import type { InvoiceRow } from '../row.ts'
import { assertIssued } from '../rules.ts'
import { countRectified, setVoided } from '../store.ts'
import { tellOfInvoice } from '../tell.ts'

export const voided = steps(voidInvoice, input => {
  const { caller, params, body } = input
  return onceAtRest(voidInvoice, input, { subject: params.id, changed: ['status'] }, async (tx, once) => {
    const invoice = await lockInvoice(tx, caller, params.id, body.userId)
    return once(async () => wholeInvoiceOf(tx, caller, await voidLocked(tx, caller, invoice)))
  })
})

async function voidLocked(tx: Tx, caller: Caller, invoice: InvoiceRow): Promise<InvoiceRow> {
  assertIssued(invoice)
  if (await isRectified(tx, invoice.id)) fail('INVOICE_RECTIFIED')
  if (invoice.paid_cents > invoice.refunded_cents) fail('INVOICE_HAS_MONEY')
  await assertAtRest(tx, invoice.id)
  const { rectifies_invoice_id: rectifiedId } = invoice
  if (rectifiedId !== null) {
    await lockInvoiceById(tx, rectifiedId)
    await assertAtRest(tx, rectifiedId)
  }
  const voided = await setVoided(tx, invoice.id)
  if (rectifiedId !== null) await countRectified(tx, rectifiedId)
  await tellOfInvoice(tx, caller, voided, 'INVOICE_VOIDED', {
    voidedAt: voided.voided_at!,
    rectifiesInvoiceId: rectifiedId,
  })
  return voided
}
