import type { Tx } from '#platform/data/db.ts'
import { isRetryable, isUnavailable } from '#platform/data/errors.ts'
import type { PaymentContext } from '../charges/payment-context.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { issueDraft } from '../invoices/issuing/issue-draft.ts'
import { draftRectifying } from '../invoices/rectifying/draft-rectifying.ts'
import { readSettings } from '../settings/billing-settings.sql.ts'
import { actorOf } from './refund.events.ts'
import type { RefundRow } from './refund.row.ts'

/** The reason on the invoice: see RD 1619/2012, article 15. */
const reason = 'Devolución del importe cobrado'

/**
 * Drafts the rectifying invoice of a refund. There is nothing to rectify on a void invoice, nor for an amount that
 * exceeded its total: the amount that was paid and not refunded stays invoiced.
 */
export async function draftForRefund(
  tx: Tx,
  invoice: InvoiceRow,
  refund: RefundRow,
  refundCents: number,
): Promise<InvoiceRow | null> {
  const retainedCents = invoice.paid_cents - invoice.refunded_cents
  const amountCents = Math.min(refundCents, invoice.total_cents - invoice.rectified_cents - retainedCents)
  if (invoice.lifecycle !== 'ISSUED' || amountCents <= 0) return null
  const taken = { amountCents }
  return draftRectifying(tx, invoice, { reason, taken, createdBy: refund.created_by })
}

/**
 * Issues the draft when the organization's settings say so. A draft that cannot be issued stays one, and the refund
 * is booked in any case; only a database error repeats all of it later.
 */
export async function issueIfEnabled(
  tx: Tx,
  log: PaymentContext['log'],
  refund: RefundRow,
  draft: InvoiceRow,
): Promise<void> {
  if (!(await readSettings(tx)).issuesRectifyingAtOnce) return
  try {
    await tx.savepoint(part => issueDraft(part, actorOf(refund), draft))
  } catch (error) {
    if (isRetryable(error) || isUnavailable(error)) throw error
    const about = { organizationId: tx.organizationId, invoiceId: draft.id }
    log?.warn({ ...about, err: error }, 'a rectifying invoice could not be issued and stays a draft')
  }
}
