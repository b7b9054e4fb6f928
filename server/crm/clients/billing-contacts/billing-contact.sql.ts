import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** A stored billing contact. */
export type BillingContactRow = {
  id: string
  name: string
  email: string
  is_main: boolean
  is_active: boolean
  created_at: string
  updated_at: string
}

const columns = 'b.id, b.name, b.email, b.is_main, b.is_active, b.created_at, b.updated_at'
// index crm_billing_contact_of
const select = sql<BillingContactRow, { clientId: string }>(`
  select ${columns} from crm_billing_contact b where b.organization_id = $organization and b.client_id = $clientId
  order by not b.is_main, b.id`)
const unmain = sql<never, { clientId: string; id: string }>(`
  update crm_billing_contact b set is_main = false, updated_at = now()
  where b.organization_id = $organization and b.client_id = $clientId and b.id <> $id and b.is_main`)
const insert = sql<
  BillingContactRow,
  { clientId: string; id: string; name: string; email: string; isMain: boolean }
>(`
  insert into crm_billing_contact as b (organization_id, client_id, id, name, email, is_main)
  values ($organization, $clientId, $id, $name, $email, $isMain) returning ${columns}`)
const update = sql<
  BillingContactRow,
  { clientId: string; id: string; name: string; email: string; isMain: boolean; isActive: boolean }
>(`
  update crm_billing_contact b set name = $name, email = $email, is_main = $isMain, is_active = $isActive,
    updated_at = now()
  where b.organization_id = $organization and b.client_id = $clientId and b.id = $id returning ${columns}`)
const remove = sql<never, { clientId: string; id: string }>(
  `delete from crm_billing_contact b where b.organization_id = $organization and b.client_id = $clientId
    and b.id = $id`,
)

/** All billing contacts of a client, the main one first. */
export function billingContactsOf(db: Db, clientId: string): Promise<BillingContactRow[]> {
  return db.rows(select, { clientId })
}

/** Inserts a billing contact of a client that this transaction has locked. A new main contact replaces the previous one. */
export async function insertBillingContact(
  tx: Tx,
  clientId: string,
  { id, name, email, is_main }: BillingContactRow,
): Promise<BillingContactRow> {
  const [, row] = await Promise.all([
    is_main && tx.run(unmain, { clientId, id }),
    tx.one(insert, { clientId, id, name, email, isMain: is_main }),
  ])
  return row
}

/** Updates a billing contact of a client that this transaction has locked. A new main contact replaces the previous one. */
export async function setBillingContact(
  tx: Tx,
  clientId: string,
  { id, name, email, is_main, is_active }: BillingContactRow,
): Promise<BillingContactRow> {
  const [, row] = await Promise.all([
    is_main && tx.run(unmain, { clientId, id }),
    tx.one(update, { clientId, id, name, email, isMain: is_main, isActive: is_active }),
  ])
  return row
}

export async function deleteBillingContact(tx: Tx, clientId: string, id: string): Promise<void> {
  await tx.run(remove, { clientId, id })
}
