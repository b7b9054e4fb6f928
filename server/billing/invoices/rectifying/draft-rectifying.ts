import type { NewLines } from '#contract/billing/invoice.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { negated } from '../amounts.ts'
import { blankDraft, withDraftFields } from '../drafts/draft.rules.ts'
import type { InvoiceRow } from '../invoice.row.ts'
import { insertDraft } from '../invoice.sql.ts'
import { rectifyingLines } from './rectifying.rules.ts'

/** The part of the invoice that the draft subtracts: these lines, this amount of the total, or everything. */
export type RectifiedAmount = { lines: NewLines } | { amountCents: number } | 'all'

/**
 * Drafts the invoice that rectifies a locked, issued one. `createdBy` is a member, or null for an automatic draft.
 * `issueDraft` issues it.
 */
export function draftRectifying(
  tx: Tx,
  rectified: InvoiceRow,
  { reason, taken, createdBy }: { reason: string; taken: RectifiedAmount; createdBy: string | null },
): Promise<InvoiceRow> {
  const blank = blankDraft({
    id: newId(),
    client_id: rectified.client_id,
    currency: rectified.currency,
    created_by: createdBy,
    application_id: rectified.application_id,
    external_user_id: rectified.external_user_id,
    is_rectifying: true,
    rectifies_invoice_id: rectified.id,
    is_subscription: rectified.is_subscription,
  })
  return insertDraft(
    tx,
    withDraftFields(blank, { lines: linesOf(rectified, taken, reason), rectifyingReason: reason }),
  )
}

function linesOf(rectified: InvoiceRow, taken: RectifiedAmount, reason: string): NewLines {
  if (taken === 'all') return negated(rectified.lines)
  return 'lines' in taken ? taken.lines : rectifyingLines(rectified, taken.amountCents, reason)
}
