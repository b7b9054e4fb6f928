import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { narrowed } from '#platform/db/narrowed.ts'
import { sql } from '#platform/db/statement.ts'
import { type ClientRow, clientColumns, wholeClient } from './row.ts'

const given = `jsonb_to_record($2::jsonb) as r(${clientColumns.map(name => `${name} text`).join(', ')})`
const insert = sql<ClientRow, [row: string]>(`
  insert into crm_client as c (organization_id, ${clientColumns.join(', ')})
  select $1, ${clientColumns.map(name => `r.${name}`).join(', ')} from ${given}
  returning ${wholeClient}`)
const update = sql<ClientRow, [row: string]>(`
  update crm_client c set ${clientColumns
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, updated_at = now()
  from ${given} where c.organization_id = $1 and c.id = r.id
  returning ${wholeClient}`)
const updateArchived = sql<ClientRow, [id: string, archived: boolean]>(`
  update crm_client c set archived_at = case when $3 then now() end, updated_at = now()
  where c.organization_id = $1 and c.id = $2
  returning ${wholeClient}`)

export async function insertClient(tx: Tx, client: ClientRow): Promise<ClientRow> {
  return (await tx.first(insert, JSON.stringify(client)))!
}

/** Writes a client that this transaction has locked. */
export async function setClient(tx: Tx, client: ClientRow): Promise<ClientRow> {
  return (await tx.first(update, JSON.stringify(client)))!
}

export async function setArchived(tx: Tx, id: string, archived: boolean): Promise<ClientRow> {
  return (await tx.first(updateArchived, id, archived))!
}

type Listed = [archived: boolean, search: string | null]
const filters = ['c.search like $3']
const among = (condition: string) =>
  `from crm_client c where c.organization_id = $1 and (c.archived_at is not null) = $2 and ${condition}`
// index crm_client_listed, or crm_client_search
const page = narrowed<ClientRow, [...Listed, limit: number, offset: number]>(
  filters,
  condition => `select ${wholeClient} ${among(condition)} order by c.name_folded, c.id limit $4 offset $5`,
)
const count = narrowed<{ total: number }, Listed>(
  filters,
  condition =>
    `select count(*) as total from (select ${among(condition)} limit ${limits.customersCounted}) n`,
)

/** A page of clients by name, and how many there are; `search` is a pattern. */
export async function listClients(
  db: Db,
  { archived, search }: { archived: boolean; search: string | null },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ClientRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(page(search), archived, search, limit, offset),
    db.first(count(search), archived, search),
  ])
  return { rows, total: counted!.total }
}
