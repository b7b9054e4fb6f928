import type { Contact } from '#contract/crm/contacts.ts'
import type { ContactRow } from './contact.row.ts'

/** Converts a row to its reply. */
export function showContact(row: ContactRow): Contact {
  return {
    id: row.id,
    clientId: row.client_id,
    leadId: row.lead_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    receivesInvoices: row.receives_invoices,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
  }
}
