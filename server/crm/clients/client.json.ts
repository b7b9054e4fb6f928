import type { Client } from '#contract/crm/clients.ts'
import type { ClientRow } from './client.row.ts'

/** Converts a row to its reply. */
export function showClient(row: ClientRow): Client {
  return {
    id: row.id,
    name: row.name,
    taxId: row.tax_id,
    email: row.email,
    phone: row.phone,
    address: row.address,
    city: row.city,
    postalCode: row.postal_code,
    country: row.country,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
  }
}
