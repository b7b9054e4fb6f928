import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { pagedList, rowsByIds } from '../paged-list.sql.ts'
import { allClientColumns, type ClientRow, clientColumns } from './client.row.ts'

const inputRow = `jsonb_to_record($2::jsonb) as r(${clientColumns.map(name => `${name} text`).join(', ')})`
const insert = sql<ClientRow, [row: string]>(`
  insert into crm_client as c (organization_id, ${clientColumns.join(', ')})
  select $1, ${clientColumns.map(name => `r.${name}`).join(', ')} from ${inputRow}
  returning ${allClientColumns}`)
const update = sql<ClientRow, [row: string]>(`
  update crm_client c set ${clientColumns
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, updated_at = now()
  from ${inputRow} where c.organization_id = $1 and c.id = r.id
  returning ${allClientColumns}`)
const updateArchived = sql<ClientRow, [id: string, archived: boolean]>(`
  update crm_client c set archived_at = case when $3 then now() end, updated_at = now()
  where c.organization_id = $1 and c.id = $2
  returning ${allClientColumns}`)

export async function insertClient(tx: Tx, client: ClientRow): Promise<ClientRow> {
  return (await tx.first(insert, JSON.stringify(client)))!
}

/** Updates a client that this transaction has locked. */
export async function setClient(tx: Tx, client: ClientRow): Promise<ClientRow> {
  return (await tx.first(update, JSON.stringify(client)))!
}

export async function setArchived(tx: Tx, id: string, archived: boolean): Promise<ClientRow> {
  return (await tx.first(updateArchived, id, archived))!
}

const clientsByIds = rowsByIds<ClientRow>(
  { table: 'crm_client', alias: 'c', columns: allClientColumns },
  ['(c.archived_at is not null) = $3::boolean', 'c.search like $4'],
  'c.name_folded, c.id',
)

/** The clients with these ids by name, and their number; null leaves out a filter. */
export function listClientsByIds(
  db: Db,
  ids: readonly string[],
  { archived, search }: { archived: boolean | null; search: string | null },
  page: { limit: number; offset: number },
): Promise<{ rows: ClientRow[]; total: number }> {
  return clientsByIds(db, ids, [archived === null ? null : String(archived), search], page)
}

/** A page of clients by name, and their total; `search` is a LIKE pattern. Index crm_client_listed or crm_client_search. */
export const listClients = pagedList<ClientRow, [archived: boolean, search: string | null]>(
  {
    columns: allClientColumns,
    from: 'from crm_client c where c.organization_id = $1',
    order: 'c.name_folded, c.id',
  },
  ['(c.archived_at is not null) = $2'],
  ['c.search like $3'],
)
