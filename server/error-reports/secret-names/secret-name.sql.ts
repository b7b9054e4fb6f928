import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

const selectNames = sql<{ names: string[] }>(
  'select s.secret_names as names from error_settings s where s.organization_id = $organization',
)
const lockNames = sql<{ names: string[] }>(
  'select s.secret_names as names from error_settings s where s.organization_id = $organization for update',
)
const upsertNames = sql<never, { names: string[] }>(`
  insert into error_settings (organization_id, secret_names) values ($organization, $names)
  on conflict (organization_id) do update set secret_names = excluded.secret_names`)

/** As the organization entered them. */
export async function secretNamesOf(db: Db): Promise<string[]> {
  return (await db.first(selectNames))?.names ?? []
}

/** Locks the row if it exists. */
export async function lockSecretNames(tx: Tx): Promise<string[]> {
  return (await tx.first(lockNames))?.names ?? []
}

export async function setSecretNames(tx: Tx, names: string[]): Promise<void> {
  await tx.run(upsertNames, { names })
}
