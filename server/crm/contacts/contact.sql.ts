import type { Tx } from '#platform/data/db.ts'
import { recordOf } from '#platform/data/record-of.ts'
import { sql } from '#platform/data/statement.ts'
import { pagedList } from '../paged-list.sql.ts'
import { allContactColumns, type ContactRow, contactColumns } from './contact.row.ts'

const names = Object.keys(contactColumns)
const typed = Object.entries(contactColumns).map(([name, type]) => `${name} ${type}`)
const inputRow = recordOf('$row', `${typed.join(', ')}, email_hash text`)
const insert = sql<ContactRow, { row: string }>(`
  insert into crm_contact as p (organization_id, ${names.join(', ')}, email_hash)
  select $organization, ${names.map(name => `r.${name}`).join(', ')}, decode(r.email_hash, 'hex') from ${inputRow}
  returning ${allContactColumns}`)
const update = sql<ContactRow, { row: string }>(`
  update crm_contact p set ${names
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, email_hash = decode(r.email_hash, 'hex'), updated_at = now()
  from ${inputRow} where p.organization_id = $organization and p.id = r.id
  returning ${allContactColumns}`)
const updateArchived = sql<ContactRow, { id: string; archived: boolean }>(`
  update crm_contact p set archived_at = case when $archived then now() end, updated_at = now()
  where p.organization_id = $organization and p.id = $id
  returning ${allContactColumns}`)
// index crm_contact_email; a condition on erased_at would make the planner read all contacts of the client
const lockOf = sql<ContactRow, { clientId: string; hashes: string[] }>(`
  select ${allContactColumns} from crm_contact p
  where p.organization_id = $organization and p.client_id = $clientId
    and p.email_hash = any(array(select decode(h, 'hex') from unnest($hashes::text[]) h))
    and p.archived_at is null
  order by p.id limit 1 for no key update`)

export function insertContact(tx: Tx, contact: ContactRow): Promise<ContactRow> {
  return tx.one(insert, { row: JSON.stringify(contact) })
}

/** Updates a contact that this transaction has locked. */
export function setContact(tx: Tx, contact: ContactRow): Promise<ContactRow> {
  return tx.one(update, { row: JSON.stringify(contact) })
}

export function setArchived(tx: Tx, id: string, archived: boolean): Promise<ContactRow> {
  return tx.one(updateArchived, { id, archived })
}

/** Locks the oldest active contact of a client with this e-mail; for `hashes` see emailHashes. */
export function lockContactOf(
  tx: Tx,
  clientId: string,
  hashes: readonly string[],
): Promise<ContactRow | undefined> {
  return tx.first(lockOf, { clientId, hashes: [...hashes] })
}

/**
 * A page of contacts by name, and their total; `search` is a LIKE pattern. Index crm_contact_listed, crm_contact_of or
 * crm_contact_search.
 */
export const listContacts = pagedList<
  ContactRow,
  { archived: boolean; clientId: string | null; search: string | null }
>(
  {
    columns: allContactColumns,
    from: `from crm_contact p where p.organization_id = $organization and p.erased_at is null
      and (p.archived_at is not null) = $archived`,
    order: 'p.name_folded, p.id',
  },
  { clientId: 'p.client_id = $clientId', search: 'p.search like $search' },
)
