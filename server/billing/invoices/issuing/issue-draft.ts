import type { Tx } from '#platform/db/database.ts'
import { fail } from '#platform/fail.ts'
import { clientFor, issuerOf } from '#server/crm/index.ts'
import { keepSettings } from '../../settings/store.ts'
import { lockInvoiceById } from '../access.ts'
import { assertAtRest } from '../at-rest.ts'
import { assertDraft } from '../drafts/rules.ts'
import type { InvoiceRow } from '../row.ts'
import { assertIssued } from '../rules.ts'
import { addRectified, setIssued, takeNumber } from '../store.ts'
import {
  assertComplete,
  assertLeft,
  assertNotLater,
  dayAfterOthers,
  dueDateOf,
  partyOf,
  recipientOf,
  takenOff,
} from './rules.ts'

/**
 * Issues a draft that this transaction has locked: it gets the next number of its series, which nobody else does and which
 * is free again when this transaction ends in vain. `asked` is a day, or undefined for today. What it rectifies is due no
 * more. Refuses INVOICE_NOT_DRAFT, INVOICE_EMPTY, ISSUER_REQUIRED, RECIPIENT_INCOMPLETE, VALIDATION_ERROR, and with an
 * invoice that it rectifies INVOICE_STATE_INVALID, INVOICE_PAYMENT_IN_PROGRESS and RECTIFIED_TOO_MUCH.
 */
export async function issueDraft(tx: Tx, draft: InvoiceRow, asked?: string): Promise<InvoiceRow> {
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
  if (draft.rectifies_invoice_id !== null) await rectify(tx, draft, draft.rectifies_invoice_id)
  const date = asked ?? draft.today
  assertNotLater(date, draft.today)
  const isRectifying = draft.is_rectifying
  const prefix = isRectifying ? settings.rectifyingSeries : settings.invoiceSeries
  const series = `${prefix}${date.slice(0, 4)}`
  const { last, last_date } = await takeNumber(tx, { series, prefix, isRectifying, date })
  const issue_date = dayAfterOthers(asked, last_date)
  return setIssued(tx, draft.id, {
    series,
    number: `${series}-${String(last).padStart(6, '0')}`,
    issue_date,
    due_date: dueDateOf(draft, issue_date, settings.paymentDays),
    issuer,
    recipient,
    tax_qr_url: issuer.country === 'ES' ? settings.taxQrUrl : null,
  })
}

async function rectify(tx: Tx, draft: InvoiceRow, rectifiedId: string): Promise<void> {
  const rectified = (await lockInvoiceById(tx, rectifiedId))!
  assertIssued(rectified)
  await assertAtRest(tx, rectifiedId)
  assertLeft(rectified, draft)
  await addRectified(tx, rectifiedId, takenOff(draft))
}
