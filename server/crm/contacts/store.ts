import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { narrowed } from '#platform/db/narrowed.ts'
import { sql } from '#platform/db/statement.ts'
import { type ContactRow, contactColumns, wholeContact } from './row.ts'

const names = Object.keys(contactColumns)
const typed = Object.entries(contactColumns).map(([name, type]) => `${name} ${type}`)
const given = `jsonb_to_record($2::jsonb) as r(${typed.join(', ')}, email_hash text)`
const insert = sql<ContactRow, [row: string]>(`
  insert into crm_contact as p (organization_id, ${names.join(', ')}, email_hash)
  select $1, ${names.map(name => `r.${name}`).join(', ')}, decode(r.email_hash, 'hex') from ${given}
  returning ${wholeContact}`)
const update = sql<ContactRow, [row: string]>(`
  update crm_contact p set ${names
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, email_hash = decode(r.email_hash, 'hex'), updated_at = now()
  from ${given} where p.organization_id = $1 and p.id = r.id
  returning ${wholeContact}`)
const updateArchived = sql<ContactRow, [id: string, archived: boolean]>(`
  update crm_contact p set archived_at = case when $3 then now() end, updated_at = now()
  where p.organization_id = $1 and p.id = $2
  returning ${wholeContact}`)
// index crm_contact_email, or crm_contact_of where a client has few
const lockOf = sql<ContactRow, [clientId: string, hashes: string[]]>(`
  select ${wholeContact} from crm_contact p
  where p.organization_id = $1 and p.client_id = $2
    and p.email_hash = any(array(select decode(h, 'hex') from unnest($3::text[]) h))
    and p.archived_at is null and p.erased_at is null
  order by p.id limit 1 for no key update`)

export async function insertContact(tx: Tx, contact: ContactRow): Promise<ContactRow> {
  return (await tx.first(insert, JSON.stringify(contact)))!
}

/** Writes a contact that this transaction has locked. */
export async function setContact(tx: Tx, contact: ContactRow): Promise<ContactRow> {
  return (await tx.first(update, JSON.stringify(contact)))!
}

export async function setArchived(tx: Tx, id: string, archived: boolean): Promise<ContactRow> {
  return (await tx.first(updateArchived, id, archived))!
}

/** Locks the oldest contact of a client with this e-mail, given as `emailHashes` tells it; not one that is archived. */
export function lockContactOf(
  tx: Tx,
  clientId: string,
  hashes: readonly string[],
): Promise<ContactRow | undefined> {
  return tx.first(lockOf, clientId, [...hashes])
}

type Listed = [archived: boolean, clientId: string | null, search: string | null]
const filters = ['p.client_id = $3', 'p.search like $4']
const among = (condition: string) => `from crm_contact p
    where p.organization_id = $1 and p.erased_at is null and (p.archived_at is not null) = $2 and ${condition}`
// index crm_contact_listed, crm_contact_of or crm_contact_search
const page = narrowed<ContactRow, [...Listed, limit: number, offset: number]>(
  filters,
  condition => `select ${wholeContact} ${among(condition)} order by p.name_folded, p.id limit $5 offset $6`,
)
const count = narrowed<{ total: number }, Listed>(
  filters,
  condition =>
    `select count(*) as total from (select ${among(condition)} limit ${limits.customersCounted}) n`,
)

/** A page of contacts by name, and how many there are; `search` is a pattern. */
export async function listContacts(
  db: Db,
  { archived, clientId, search }: { archived: boolean; clientId: string | null; search: string | null },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ContactRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(page(clientId, search), archived, clientId, search, limit, offset),
    db.first(count(clientId, search), archived, clientId, search),
  ])
  return { rows, total: counted!.total }
}
