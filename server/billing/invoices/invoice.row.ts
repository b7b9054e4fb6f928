import type { Client } from '#contract/crm/clients.ts'

/** A line and the tax of one rate, as they are kept: the figures are computed once, when they are written. */
export type InvoiceLine = {
  description: string
  /** A decimal number as text: '1', '2.5'. */
  quantity: string
  unitPriceCents: number
  /** Per cent off, as text; null: nothing. */
  discountPercent: string | null
  taxes: { name: string; rate: string }[]
  subtotalCents: number
}
export type InvoiceTax = { name: string; rate: string; baseCents: number; amountCents: number }
/** A party as it stands on an issued invoice. */
export type Party = Pick<Client, 'name' | 'taxId' | 'address' | 'city' | 'postalCode' | 'country' | 'email'>

/** An invoice as it is kept, with the name of its client. Money in the smallest unit of its currency. */
export type InvoiceRow = {
  id: string
  application_id: string | null
  external_user_id: string | null
  client_id: string
  client_name: string
  lifecycle: 'DRAFT' | 'ISSUED' | 'VOIDED'
  is_rectifying: boolean
  rectifies_invoice_id: string | null
  rectifying_reason: string | null
  series: string | null
  number: string | null
  /** YYYY-MM-DD */
  issue_date: string | null
  due_date: string | null
  currency: string
  lines: InvoiceLine[]
  taxes: InvoiceTax[]
  subtotal_cents: number
  tax_cents: number
  total_cents: number
  paid_cents: number
  refunded_cents: number
  /** What rectifying invoices took off the total. */
  rectified_cents: number
  /** What of that rectifies what was paid and given back. */
  refund_rectified_cents: number
  overpaid_cents: number
  is_subscription: boolean
  issuer: Party | null
  recipient: Party | null
  /** Where its tax QR leads; null: it has none. */
  tax_qr_url: string | null
  notes: string | null
  internal_notes: string | null
  sent_at: string | null
  last_payment_at: string | null
  notice_sequence: number
  created_by: string | null
  created_at: string
  updated_at: string
  issued_at: string | null
  voided_at: string | null
  /** The day it is, in UTC, by the database: what is due before is overdue. */
  today: string
}

const columns = [
  'id',
  'application_id',
  'external_user_id',
  'client_id',
  'lifecycle',
  'is_rectifying',
  'rectifies_invoice_id',
  'rectifying_reason',
  'series',
  'number',
  'currency',
  'lines',
  'taxes',
  'subtotal_cents',
  'tax_cents',
  'total_cents',
  'paid_cents',
  'refunded_cents',
  'rectified_cents',
  'refund_rectified_cents',
  'overpaid_cents',
  'is_subscription',
  'issuer',
  'recipient',
  'tax_qr_url',
  'notes',
  'internal_notes',
  'sent_at',
  'last_payment_at',
  'notice_sequence',
  'created_by',
  'created_at',
  'updated_at',
  'issued_at',
  'voided_at',
]
const days = ['issue_date', 'due_date'].map(day => `to_char(i.${day}, 'YYYY-MM-DD') as ${day}`)
/** What a statement selects of `invoice i`, joined with `crm_client c`, to have a whole row. */
export const invoiceColumns = [
  ...columns.map(name => `i.${name}`),
  ...days,
  'c.name as client_name',
  `to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today`,
].join(', ')
