import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

// index crm_client_listed
const select = sql<{ id: string }, { nameFolded: string; taxId: string }>(`
  select c.id from crm_client c
  where c.organization_id = $organization and (c.archived_at is not null) = false
    and c.name_folded = $nameFolded and upper(c.tax_id) = upper($taxId)
  order by c.id limit 1`)

/** The oldest active client with this name and tax id. */
export function findClientByNameAndTaxId(
  tx: Tx,
  nameFolded: string,
  taxId: string,
): Promise<{ id: string } | undefined> {
  return tx.first(select, { nameFolded, taxId })
}
