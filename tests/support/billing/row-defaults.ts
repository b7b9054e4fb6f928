import { newId } from '#platform/ids.ts'
import type { RowDefaults } from '../table.ts'

export const billingRows: RowDefaults = {
  billing_settings: () => ({
    invoice_series: 'F',
    rectifying_series: 'R',
    payment_days: 30,
    link_days: 30,
    issues_rectifying_at_once: false,
  }),
  charge_attempt: () => ({ id: newId(), kind: 'OFF_SESSION', currency: 'eur' }),
  consent_text: () => ({ locale: 'es', version: 1, text: 'Sí', sha256: 'x' }),
  gateway_difference: () => ({ id: newId(), currency: 'eur' }),
  invoice: () => ({
    id: newId(),
    lifecycle: 'ISSUED',
    currency: 'eur',
    lines: [],
    taxes: [],
    subtotal_cents: 100,
    tax_cents: 0,
    total_cents: 100,
  }),
  invoice_counter: () => ({ is_rectifying: false }),
  invoice_link: () => ({ id: newId(), kind: 'PRIMARY', expires_at: new Date(Date.now() + 86_400_000) }),
  invoice_template: () => ({ id: newId(), name: 'Planted', subject: 'S', body: 'B' }),
  ledger_entry: () => ({ id: newId(), kind: 'PAYMENT', currency: 'eur' }),
  payment: () => ({ id: newId(), method: 'CASH', currency: 'eur', paid_at: new Date() }),
  payment_authorization: () => ({
    id: newId(),
    status: 'ACTIVE',
    scope: 'RECURRING',
    currency: 'eur',
    consent_locale: 'es',
    consent_version: 1,
    consent_sha256: 'x',
    accepted_at: new Date(),
    ip: '203.0.113.7',
    user_agent: 'Test',
  }),
  refund: () => ({ id: newId(), source: 'PEOPLE', status: 'SUCCEEDED', currency: 'eur', is_full: false }),
  refund_part: () => ({ id: newId() }),
}
