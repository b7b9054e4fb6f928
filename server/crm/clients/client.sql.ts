import type { Db, Tx } from '#platform/data/db.ts'
import { recordOf } from '#platform/data/record-of.ts'
import { sql } from '#platform/data/statement.ts'
import { pagedList, rowsByIds } from '../paged-list.sql.ts'
import { allClientColumns, type ClientRow, clientColumns } from './client.row.ts'

const inputRow = recordOf('$row', clientColumns.map(name => `${name} text`).join(', '))
const insert = sql<ClientRow, { row: string }>(`
  insert into crm_client as c (organization_id, ${clientColumns.join(', ')})
  select $organization, ${clientColumns.map(name => `r.${name}`).join(', ')} from ${inputRow}
  returning ${allClientColumns}`)
const update = sql<ClientRow, { row: string }>(`
  update crm_client c set ${clientColumns
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, updated_at = now()
  from ${inputRow} where c.organization_id = $organization and c.id = r.id
  returning ${allClientColumns}`)
const updateArchived = sql<ClientRow, { id: string; archived: boolean }>(`
  update crm_client c set archived_at = case when $archived then now() end, updated_at = now()
  where c.organization_id = $organization and c.id = $id
  returning ${allClientColumns}`)

export function insertClient(tx: Tx, client: ClientRow): Promise<ClientRow> {
  return tx.one(insert, { row: JSON.stringify(client) })
}

/** Updates a client that this transaction has locked. */
export function setClient(tx: Tx, client: ClientRow): Promise<ClientRow> {
  return tx.one(update, { row: JSON.stringify(client) })
}

export function setArchived(tx: Tx, id: string, archived: boolean): Promise<ClientRow> {
  return tx.one(updateArchived, { id, archived })
}

const clientsByIds = rowsByIds<ClientRow, 'archived' | 'search'>(
  { table: 'crm_client', alias: 'c', columns: allClientColumns },
  { archived: '(c.archived_at is not null) = $archived::boolean', search: 'c.search like $search' },
  'c.name_folded, c.id',
)

/** The clients with these ids by name, and their number; null leaves out a filter. */
export function listClientsByIds(
  db: Db,
  ids: readonly string[],
  { archived, search }: { archived: boolean | null; search: string | null },
  page: { limit: number; offset: number },
): Promise<{ rows: ClientRow[]; total: number }> {
  return clientsByIds(db, ids, { archived: archived === null ? null : String(archived), search }, page)
}

/** A page of clients by name, and their total; `search` is a LIKE pattern. Index crm_client_listed or crm_client_search. */
export const listClients = pagedList<ClientRow, { archived: boolean; search: string | null }>(
  {
    columns: allClientColumns,
    from: 'from crm_client c where c.organization_id = $organization and (c.archived_at is not null) = $archived',
    order: 'c.name_folded, c.id',
  },
  { search: 'c.search like $search' },
)
