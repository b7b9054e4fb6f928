import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { countsWithNewPlan } from '../../imports/plan-mode.sql.ts'
import { type ClientRow, clientColumns } from '../client.row.ts'

/** A new client with its main billing contact. */
export type ImportedClient = {
  id: string
  client: ClientRow
  billingContact: { id: string; name: string; email: string } | null
}

// index crm_client_listed
const selectCounts = sql<{ n: number }, { lookups: string }>(`
  select (
    select count(*) from (
      select 1 from crm_client c
      where c.organization_id = $organization and (c.archived_at is not null) = false
        and c.name_folded = w.name_folded
        and upper(coalesce(c.tax_id, '')) = upper(coalesce(w.tax_id, ''))
        and (c.tax_id is not null or lower(coalesce(c.email, '')) = lower(coalesce(w.email, '')))
      limit ${limits.leadDuplicates}) same) as n
  from jsonb_to_recordset($lookups::jsonb) as w(ordinal integer, name_folded text, tax_id text, email text)
  order by w.ordinal`)

/** For each new client, the number of active clients that are the same (CIMP-3), in one statement. */
export function countSameClients(tx: Tx, items: readonly ImportedClient[]): Promise<number[]> {
  const lookups = items.map(({ client: { name_folded, tax_id, email } }, ordinal) => ({
    ordinal,
    name_folded,
    tax_id,
    email,
  }))
  return countsWithNewPlan(tx, selectCounts, lookups)
}

const insertClients = sql<never, { rows: string }>(`
  insert into crm_client (organization_id, ${clientColumns.join(', ')})
  select $organization, ${clientColumns.map(name => `r.${name}`).join(', ')}
  from jsonb_to_recordset($rows::jsonb) as r(${clientColumns.map(name => `${name} text`).join(', ')})`)
const insertContacts = sql<never, { rows: string }>(`
  insert into crm_billing_contact (organization_id, client_id, id, name, email, is_main)
  select $organization, r.client_id, r.id, r.name, r.email, true
  from jsonb_to_recordset($rows::jsonb) as r(client_id text, id text, name text, email text)`)

/** Inserts clients and their billing contacts. */
export async function insertImportedClients(tx: Tx, items: readonly ImportedClient[]): Promise<void> {
  const contacts = items.flatMap(({ id, billingContact }) =>
    billingContact ? [{ client_id: id, ...billingContact }] : [],
  )
  await Promise.all([
    tx.run(insertClients, { rows: JSON.stringify(items.map(({ client }) => client)) }),
    contacts.length > 0 && tx.run(insertContacts, { rows: JSON.stringify(contacts) }),
  ])
}
