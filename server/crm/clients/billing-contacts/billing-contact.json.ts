import type { BillingContact } from '#contract/crm/clients.ts'
import type { BillingContactRow } from './billing-contact.sql.ts'

/** Converts a row to its reply. */
export function showBillingContact(row: BillingContactRow): BillingContact {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    isMain: row.is_main,
    isActive: row.is_active,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
