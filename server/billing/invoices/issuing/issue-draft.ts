import type { Tx } from '#platform/data/database.ts'
import type { EventActor } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { clientFor, issuerOf } from '#server/crm/index.ts'
import { keepSettings } from '../../settings/billing-settings.sql.ts'
import { assertAtRest } from '../at-rest.ts'
import { assertDraft } from '../drafts/draft.rules.ts'
import { lockInvoiceById } from '../invoice.access.ts'
import { tellOfInvoice } from '../invoice.events.ts'
import type { InvoiceRow } from '../invoice.row.ts'
import { assertIssued } from '../invoice.rules.ts'
import { countRectified, setIssued, takeNumber } from '../invoice.sql.ts'
import {
  assertComplete,
  assertLeft,
  assertNotLater,
  dayAfterOthers,
  dueDateOf,
  partyOf,
  recipientOf,
} from './issuing.rules.ts'

/**
 * Issues a draft that this transaction has locked: it gets the next number of its series, which nobody else does and which
 * is free again when this transaction ends in vain. `asked` is a day, or undefined for today. What it rectifies is due no
 * more. The applications of both are told. Refuses INVOICE_NOT_DRAFT, INVOICE_EMPTY, ISSUER_REQUIRED, RECIPIENT_INCOMPLETE, VALIDATION_ERROR, and with an
 * invoice that it rectifies INVOICE_STATE_INVALID, INVOICE_PAYMENT_IN_PROGRESS and RECTIFIED_TOO_MUCH.
 */
export async function issueDraft(
  tx: Tx,
  actor: EventActor,
  draft: InvoiceRow,
  asked?: string,
): Promise<InvoiceRow> {
  assertDraft(draft)
  if (draft.lines.length === 0) fail('INVOICE_EMPTY')
  const [known, client, settings] = await Promise.all([
    issuerOf(tx),
    clientFor(tx, draft.client_id),
    keepSettings(tx),
  ])
  if (!known) fail('ISSUER_REQUIRED')
  const [issuer, recipient] = [partyOf(known), recipientOf(client)]
  assertComplete(recipient, issuer)
  const date = asked ?? draft.today
  assertNotLater(date, draft.today)
  const { is_rectifying: isRectifying, rectifies_invoice_id: rectifiedId } = draft
  if (rectifiedId !== null) await lockRectified(tx, draft, rectifiedId)
  const prefix = isRectifying ? settings.rectifyingSeries : settings.invoiceSeries
  const series = `${prefix}${date.slice(0, 4)}`
  const { last, last_date } = await takeNumber(tx, { series, prefix, isRectifying, date })
  const issue_date = dayAfterOthers(asked, last_date)
  const due_date = dueDateOf(draft, issue_date, settings.paymentDays)
  // the last thing that is looked at: a payment that waits is cancelled for what will be done alone
  if (rectifiedId !== null) await assertAtRest(tx, rectifiedId)
  const issued = await setIssued(tx, draft.id, {
    series,
    number: `${series}-${String(last).padStart(6, '0')}`,
    issue_date,
    due_date,
    issuer,
    recipient,
    tax_qr_url: issuer.country === 'ES' ? settings.taxQrUrl : null,
  })
  await tellOfInvoice(tx, actor, issued, 'INVOICE_ISSUED', {
    issueDate: issue_date,
    dueDate: due_date,
    rectifiesInvoiceId: rectifiedId,
  })
  if (rectifiedId !== null) {
    const rectified = await countRectified(tx, rectifiedId)
    await tellOfInvoice(tx, actor, rectified, 'INVOICE_RECTIFIED', {
      rectifyingInvoiceId: issued.id,
      rectifyingNumber: issued.number!,
      rectifiedCents: rectified.rectified_cents,
    })
  }
  return issued
}

async function lockRectified(tx: Tx, draft: InvoiceRow, rectifiedId: string): Promise<void> {
  const rectified = (await lockInvoiceById(tx, rectifiedId))!
  assertIssued(rectified)
  assertLeft(rectified, draft)
}
