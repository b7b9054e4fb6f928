import type { Creditor } from '#contract/billing/direct-debits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { sql } from '#platform/data/statement.ts'

const columns = 'c.name, c.identifier, c.iban, c.bic'
const select = sql<Creditor>(
  `select ${columns} from direct_debit_creditor c where c.organization_id = $organization`,
)
const lock = sql<Creditor>(
  `select ${columns} from direct_debit_creditor c where c.organization_id = $organization for no key update`,
)
const upsert = sql<never, { name: string; identifier: string; iban: string; bic: string | null }>(`
  ${insertInto('direct_debit_creditor', 'name, identifier, iban, bic')}
  on conflict (organization_id) do update
    set name = excluded.name, identifier = excluded.identifier, iban = excluded.iban, bic = excluded.bic`)

export function findCreditor(db: Db): Promise<Creditor | undefined> {
  return db.first(select)
}

/** The creditor under a lock: until the transaction ends, nobody prepares a remittance or cancels a mandate. */
export function lockCreditor(tx: Tx): Promise<Creditor | undefined> {
  return tx.first(lock)
}

export async function setCreditor(tx: Tx, { name, identifier, iban, bic }: Creditor): Promise<void> {
  await tx.run(upsert, { name, identifier, iban, bic })
}
