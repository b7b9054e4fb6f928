import { createHash } from 'node:crypto'
import { withClient } from './migrate.ts'

/**
 * The id of an installation: the same in all its processes, on every node of a cluster, and after a failover. It is a digest of
 * the name of the database and the time of its first migration, so a restored copy under the same name has it, too.
 */
export async function readInstallationId(databaseUrl: string): Promise<string> {
  const { rows } = await withClient(databaseUrl, client =>
    client.query<{ text: string }>(
      `select current_database() || ' ' || extract(epoch from min(applied_at)) as text from migration`,
    ),
  )
  const text = rows[0]?.text
  if (!text) throw new Error('The database has no migrations')
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}
