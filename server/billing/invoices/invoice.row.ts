import type { Client } from '#contract/crm/clients.ts'
import type { Letterhead } from '#contract/crm/letterhead.ts'

/** A stored line. Its amounts are computed once, when it is written. */
export type InvoiceLine = {
  description: string
  /** A decimal number as text: '1', '2.5'. */
  quantity: string
  unitPriceCents: number
  /** Per cent, as text; null: no discount. */
  discountPercent: string | null
  taxes: { name: string; rate: string }[]
  subtotalCents: number
}
export type InvoiceTax = { name: string; rate: string; baseCents: number; amountCents: number }
/** A party of an issued invoice. */
export type Party = Pick<Client, 'name' | 'taxId' | 'address' | 'city' | 'postalCode' | 'country' | 'email'>

/** An invoice with the name of its client. Amounts are in the smallest unit of the currency. */
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
  /** The signed budget that it bills. */
  budget_id: string | null
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
  /** The sum that rectifying invoices took off the total. */
  rectified_cents: number
  /** The part of it that rectifies refunded payments. */
  refund_rectified_cents: number
  overpaid_cents: number
  is_subscription: boolean
  issuer: Party | null
  recipient: Party | null
  /** Null before issue, and for invoices that were issued before there were letterheads. */
  letterhead: Letterhead | null
  /** The address in its tax QR code; null: no code. */
  tax_qr_url: string | null
  /** Whether its tax records were to be sent at the time of issue; null: it has none. */
  tax_record_mode: 'KEEP' | 'SEND' | null
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
  /** The current day in UTC, by the clock of the database: an invoice due earlier is overdue. */
  today: string
}

/** An invoice that was issued: it keeps its number, its day and its parties, also when it is void. */
export type IssuedInvoice = InvoiceRow & {
  number: string
  series: string
  issue_date: string
  issuer: Party
  recipient: Party
}

/** The same invoice. Throws an Error if it is a draft, so its state must have been checked. */
export function issuedInvoice(invoice: InvoiceRow): IssuedInvoice {
  const { number, series, issue_date, issuer, recipient } = invoice
  if (number === null || series === null || issue_date === null || issuer === null || recipient === null)
    throw new Error(`The invoice ${invoice.id} was not issued`)
  return { ...invoice, number, series, issue_date, issuer, recipient }
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
  'budget_id',
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
  'letterhead',
  'tax_qr_url',
  'tax_record_mode',
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
/** The select list of a whole row, for `invoice i` joined with `crm_client c`. */
export const invoiceColumns = [
  ...columns.map(name => `i.${name}`),
  ...days,
  'c.name as client_name',
  `to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today`,
].join(', ')
