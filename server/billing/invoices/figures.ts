import type { InvoiceFigures } from '#contract/billing/invoice.ts'
import { computeInvoiceFigures } from '#contract/billing/invoices.ts'
import { query } from '#platform/http/operation.ts'
import { blankDraft, withDraftFields } from './drafts/draft.rules.ts'
import type { InvoiceRow } from './invoice.row.ts'

const nobody = { id: '', client_id: '', currency: '', created_by: null }

/** Computes what createInvoice would store, with the same function, and stores nothing (INV-38). */
export const figures = query(computeInvoiceFigures, async ({ body: { lines, isRectifying = false } }) =>
  showFigures(withDraftFields(blankDraft({ ...nobody, is_rectifying: isRectifying }), { lines })),
)

function showFigures(
  amounts: Pick<InvoiceRow, 'lines' | 'taxes' | 'subtotal_cents' | 'tax_cents' | 'total_cents'>,
): InvoiceFigures {
  return {
    lines: amounts.lines,
    taxes: amounts.taxes,
    subtotalCents: amounts.subtotal_cents,
    taxCents: amounts.tax_cents,
    totalCents: amounts.total_cents,
  }
}
