import type { Tx } from '#platform/db/database.ts'
import { type Till, transactFor } from '../charges/till.ts'
import { lockInvoiceById } from '../invoices/access.ts'
import { issueDraft } from '../invoices/issuing/issue-draft.ts'
import { draftRectifying } from '../invoices/rectifying/draft.ts'
import type { InvoiceRow } from '../invoices/row.ts'
import { settingsOf } from '../settings/store.ts'
import type { RefundRow } from './row.ts'

/** As it stands on the invoice: see RD 1619/2012, article 15. */
const reason = 'Devolución del importe cobrado'

/**
 * Begins the invoice that takes off a locked invoice what was given back of it, and answers its id. There is nothing to
 * take off one that was voided, nor of what came in beyond its total: what was paid and is kept stays invoiced.
 */
export async function beginRectifying(
  tx: Tx,
  invoice: InvoiceRow,
  refund: RefundRow,
  givenCents: number,
): Promise<string | null> {
  const keptCents = invoice.paid_cents - invoice.refunded_cents
  const amountCents = Math.min(givenCents, invoice.total_cents - invoice.rectified_cents - keptCents)
  if (invoice.lifecycle !== 'ISSUED' || amountCents <= 0) return null
  const taken = { amountCents }
  const { id } = await draftRectifying(tx, invoice, { reason, taken, createdBy: refund.created_by })
  return id
}

/** Issues what was begun for a refund, when the organization wishes that. What cannot be issued waits for people. */
export async function issueIfWished(till: Till, organizationId: string, draftId: string): Promise<void> {
  if (!(await settingsOf(till.database.of(organizationId))).issuesRectifyingAtOnce) return
  try {
    await transactFor(till, organizationId, async tx => {
      const draft = await lockInvoiceById(tx, draftId)
      if (draft) await issueDraft(tx, draft)
    })
  } catch (error) {
    till.log?.warn({ organizationId, invoiceId: draftId, err: error }, 'a rectifying invoice stays a draft')
  }
}
