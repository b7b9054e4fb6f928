import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { unknownReference } from '../references.sql.ts'
import { allClientColumns, type ClientRow } from './client.row.ts'

const select = sql<ClientRow, { id: string }>(
  `select ${allClientColumns} from crm_client c where c.organization_id = $organization and c.id = $id`,
)
const lock = sql<ClientRow, { id: string }>(
  `select ${allClientColumns} from crm_client c where c.organization_id = $organization and c.id = $id for no key update`,
)

/** A client of the organization. Refuses CLIENT_NOT_FOUND. */
export async function clientFor(db: Db, id: string): Promise<ClientRow> {
  return (await db.first(select, { id })) ?? fail('CLIENT_NOT_FOUND')
}

/**
 * The same, locked until the transaction ends: against changes of the client and of its billing contacts, and against
 * conversions of leads into it.
 */
export async function lockClient(tx: Tx, id: string): Promise<ClientRow> {
  return (await tx.first(lock, { id })) ?? fail('CLIENT_NOT_FOUND')
}

/** The same for an active client. Also refuses CLIENT_ARCHIVED. */
export async function lockActiveClient(tx: Tx, id: string): Promise<ClientRow> {
  const client = await lockClient(tx, id)
  if (client.archived_at !== null) fail('CLIENT_ARCHIVED')
  return client
}

/** The same for an id in a request body. Refuses NOT_OF_THIS_ORGANIZATION in both cases. */
export async function lockNamedClient(tx: Tx, id: string, path: string): Promise<ClientRow> {
  const client = await tx.first(lock, { id })
  if (client && client.archived_at === null) return client
  fail('NOT_OF_THIS_ORGANIZATION', { details: [unknownReference(path, 'is not an active client')] })
}
