import type { Issuer } from '#contract/crm/issuer.ts'
import { now } from '#platform/clock.ts'
import { amountsOf } from '../../invoices/amounts.ts'
import { blankDraft } from '../../invoices/drafts/draft.rules.ts'
import type { InvoiceRow, Party } from '../../invoices/invoice.row.ts'
import { issuerParty } from '../../invoices/issuing/issuing.rules.ts'

const dayMs = 86_400_000

/** An example invoice to show a template with. `issuer` is undefined until the organization has set it. */
export function sampleInvoice(issuer: Issuer | undefined): InvoiceRow & { issuer: Party; recipient: Party } {
  const at = now()
  const dayIn = (days: number) => new Date(at.getTime() + days * dayMs).toISOString().slice(0, 10)
  const today = dayIn(0)
  const nowhere = { taxId: null, address: null, city: null, postalCode: null, country: null, email: null }
  return {
    ...blankDraft({
      id: 'sample',
      client_id: 'sample',
      currency: issuer?.currency ?? 'eur',
      created_by: null,
    }),
    ...amountsOf([
      { description: 'Ejemplo', quantity: '2', unitPriceCents: 50_000, taxes: [{ name: 'IVA', rate: '21' }] },
    ]),
    // a draft, so that its PDF is marked as one
    lifecycle: 'DRAFT',
    series: null,
    number: 'EJEMPLO-000001',
    client_name: 'Cliente de ejemplo',
    issue_date: today,
    due_date: dayIn(30),
    today,
    issued_at: null,
    voided_at: null,
    paid_cents: 0,
    refunded_cents: 0,
    rectified_cents: 0,
    refund_rectified_cents: 0,
    overpaid_cents: 0,
    notice_sequence: 0,
    sent_at: null,
    last_payment_at: null,
    letterhead: null,
    tax_qr_url: null,
    tax_record_mode: null,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    issuer: issuer ? issuerParty(issuer) : { name: 'Tu organización', ...nowhere },
    recipient: { name: 'Cliente de ejemplo', ...nowhere },
  }
}
