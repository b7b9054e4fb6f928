import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { emailHashes } from '../email.ts'

const select = sql<{ email: string; is_main: boolean }, { clientId: string; hashes: string[] }>(`
  select b.email, b.is_main from crm_billing_contact b
  where b.organization_id = $organization and b.client_id = $clientId and b.is_active
  union all
  select p.email, false from crm_contact p
  where p.organization_id = $organization and p.client_id = $clientId
    and p.email_hash = any(array(select decode(h, 'hex') from unnest($hashes::text[]) h))
    and p.receives_invoices and p.archived_at is null and p.erased_at is null and p.email is not null`)

/**
 * The addresses that invoices of a client may be sent to: its active billing contacts, and those requested addresses that
 * belong to a contact who receives invoices (SND-3).
 */
export async function invoiceMailboxes(
  db: Db,
  cipher: Cipher,
  {
    organizationId,
    clientId,
    requested,
  }: { organizationId: string; clientId: string; requested: readonly string[] },
): Promise<{ main: string | null; known: string[] }> {
  const hashes = requested.flatMap(address => emailHashes(cipher, organizationId, address))
  const rows = await db.rows(select, { clientId, hashes })
  return { main: rows.find(row => row.is_main)?.email ?? null, known: rows.map(({ email }) => email) }
}
