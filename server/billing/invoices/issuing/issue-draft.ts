import type { Tx } from '#platform/data/db.ts'
import type { EventActor } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { required } from '#platform/required.ts'
import { clientFor, issuerOf, letterheadOf } from '#server/crm/index.ts'
import { lockSettingsShared } from '../../settings/billing-settings.sql.ts'
import { writeRegistration } from '../../tax-records/write-record.ts'
import { assertDraft } from '../drafts/draft.rules.ts'
import { lockInvoiceById } from '../invoice.access.ts'
import { emitInvoiceEvent } from '../invoice.events.ts'
import { type InvoiceRow, type IssuedInvoice, issuedInvoice } from '../invoice.row.ts'
import { assertIssued } from '../invoice.rules.ts'
import { claimNumber, recountRectified, setIssued } from '../invoice.sql.ts'
import { taxQrUrlOf } from '../tax-qr.ts'
import { assertNoOpenPayment } from '../without-open-payment.ts'
import {
  assertComplete,
  assertNotFuture,
  assertRectifiable,
  dueDateOf,
  issueDateOf,
  issuerParty,
  recipientParty,
} from './issuing.rules.ts'

/**
 * Issues a locked draft. It gets the next number of its series; a rollback frees the number. `requestedDate` is a
 * day, or undefined for today. A rectified invoice owes less from now on. Emits the events of both invoices.
 * Refuses INVOICE_NOT_DRAFT, INVOICE_EMPTY, ISSUER_REQUIRED, RECIPIENT_INCOMPLETE, VALIDATION_ERROR,
 * TAX_RECORD_NOT_POSSIBLE, and for a rectifying invoice INVOICE_STATE_INVALID, INVOICE_PAYMENT_IN_PROGRESS and RECTIFIED_TOO_MUCH.
 */
export async function issueDraft(
  tx: Tx,
  actor: EventActor,
  draft: InvoiceRow,
  requestedDate?: string,
): Promise<IssuedInvoice> {
  assertDraft(draft)
  if (draft.lines.length === 0) fail('INVOICE_EMPTY')
  const [known, client, letterhead, settings] = await tx.inOrder(
    () => issuerOf(tx),
    () => clientFor(tx, draft.client_id),
    () => letterheadOf(tx),
    () => lockSettingsShared(tx),
  )
  if (!known) fail('ISSUER_REQUIRED')
  const [issuer, recipient] = [issuerParty(known), recipientParty(client)]
  assertComplete(recipient, issuer)
  const date = requestedDate ?? draft.today
  assertNotFuture(date, draft.today, settings.taxRecordMode === 'OFF' ? 1 : 0)
  const { is_rectifying: isRectifying, rectifies_invoice_id: rectifiedId } = draft
  const original = rectifiedId === null ? undefined : await lockRectified(tx, draft, rectifiedId)
  const prefix = isRectifying ? settings.rectifyingSeries : settings.invoiceSeries
  const series = `${prefix}${date.slice(0, 4)}`
  const { last, last_date } = await claimNumber(tx, { series, prefix, isRectifying, date })
  const issue_date = issueDateOf(requestedDate, last_date)
  const due_date = dueDateOf(draft, issue_date, settings.paymentDays)
  // the last check: cancelling a waiting payment must not be in vain
  if (rectifiedId !== null) await assertNoOpenPayment(tx, rectifiedId)
  const issued = await setIssued(tx, draft.id, {
    series,
    number: `${series}-${String(last).padStart(6, '0')}`,
    issue_date,
    due_date,
    issuer,
    recipient,
    letterhead,
    tax_qr_url: issuer.country === 'ES' ? taxQrUrlOf(settings) : null,
    tax_record_mode: settings.taxRecordMode === 'OFF' ? null : settings.taxRecordMode,
  })
  await emitInvoiceEvent(tx, actor, issued, 'INVOICE_ISSUED', {
    issueDate: issue_date,
    dueDate: due_date,
    rectifiesInvoiceId: rectifiedId,
  })
  if (rectifiedId !== null) {
    const rectified = await recountRectified(tx, rectifiedId)
    await emitInvoiceEvent(tx, actor, rectified, 'INVOICE_RECTIFIED', {
      rectifyingInvoiceId: issued.id,
      rectifyingNumber: issued.number,
      rectifiedCents: rectified.rectified_cents,
    })
  }
  // its chain is locked after everything else
  if (issued.tax_record_mode !== null)
    await writeRegistration(
      tx,
      required(settings.taxRecordOptions, 'the options of tax records'),
      issued,
      original,
    )
  return issued
}

async function lockRectified(tx: Tx, draft: InvoiceRow, rectifiedId: string): Promise<IssuedInvoice> {
  const rectified = await lockInvoiceById(tx, rectifiedId)
  assertIssued(rectified)
  assertRectifiable(rectified, draft)
  return issuedInvoice(rectified)
}
