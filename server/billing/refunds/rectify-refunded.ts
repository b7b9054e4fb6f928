import type { Tx } from '#platform/data/database.ts'
import { isRetryable, isUnavailable } from '#platform/data/errors.ts'
import type { PaymentContext } from '../charges/payment-context.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import { issueDraft } from '../invoices/issuing/issue-draft.ts'
import { draftRectifying } from '../invoices/rectifying/draft-rectifying.ts'
import { readSettings } from '../settings/billing-settings.sql.ts'
import { actorOf } from './refund.events.ts'
import type { RefundRow } from './refund.row.ts'

/** As it stands on the invoice: see RD 1619/2012, article 15. */
const reason = 'Devolución del importe cobrado'

/**
 * Begins the invoice that takes off a locked invoice what was given back of it, and answers it as a draft. There is nothing to
 * take off one that was voided, nor of what came in beyond its total: what was paid and is kept stays invoiced.
 */
export async function draftForRefund(
  tx: Tx,
  invoice: InvoiceRow,
  refund: RefundRow,
  givenCents: number,
): Promise<InvoiceRow | null> {
  const keptCents = invoice.paid_cents - invoice.refunded_cents
  const amountCents = Math.min(givenCents, invoice.total_cents - invoice.rectified_cents - keptCents)
  if (invoice.lifecycle !== 'ISSUED' || amountCents <= 0) return null
  const taken = { amountCents }
  return draftRectifying(tx, invoice, { reason, taken, createdBy: refund.created_by })
}

/**
 * Issues what was begun for a refund, when the organization wishes that. What cannot be issued stays a draft for people,
 * and the refund is booked all the same; only when the database did not answer is all of it done again later.
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
    log?.warn({ ...about, err: error }, 'a rectifying invoice stays a draft')
  }
}
