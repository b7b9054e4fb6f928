import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { allContactColumns, type ContactRow } from './contact.row.ts'

const one = `select ${allContactColumns} from crm_contact p
  where p.organization_id = $organization and p.id = $id and p.erased_at is null`
const select = sql<ContactRow, { id: string }>(one)
const lock = sql<ContactRow, { id: string }>(`${one} for no key update`)

/** A contact of the organization that was not erased. Refuses CONTACT_NOT_FOUND. */
export async function contactFor(db: Db, id: string): Promise<ContactRow> {
  return (await db.first(select, { id })) ?? fail('CONTACT_NOT_FOUND')
}

/** The same, locked until the transaction ends. */
export async function lockContact(tx: Tx, id: string): Promise<ContactRow> {
  return (await tx.first(lock, { id })) ?? fail('CONTACT_NOT_FOUND')
}
