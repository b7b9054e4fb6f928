import type { InvoiceDelivery, InvoiceSent } from '#contract/billing/sending.ts'
import { required } from '#platform/required.ts'

/** A mail with an invoice, sent or attempted. */
export type InvoiceDeliveryRow = {
  id: string
  invoice_id: string
  application_id: string | null
  fingerprint: string
  slot_at: string | null
  state: InvoiceDelivery['state']
  recipients: string[]
  copies: string[]
  refused: string[]
  message_id: string
  server_reply: string | null
  created_by: string | null
  created_at: string
  /** Whole seconds, by the clock of the database. */
  age_seconds: number
  ended_at: string | null
}

/** The addresses that the mail server accepted, copies included. */
export function acceptedOf({ recipients, copies, refused }: InvoiceDeliveryRow): string[] {
  return [...recipients, ...copies].filter(address => !refused.includes(address))
}

export function showSent(delivery: InvoiceDeliveryRow): InvoiceSent {
  const { invoice_id: invoiceId, ended_at } = delivery
  return {
    sent: true,
    invoiceId,
    recipients: acceptedOf(delivery),
    sentAt: required(ended_at, 'the end of a delivery'),
  }
}

export function showDelivery(row: InvoiceDeliveryRow): InvoiceDelivery {
  const { id, state, recipients, copies, refused } = row
  return {
    id,
    state,
    recipients,
    copies,
    refused,
    messageId: row.message_id,
    answer: row.server_reply,
    applicationId: row.application_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
