import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const folder = new URL('../../../migrations/', import.meta.url)

/**
 * Applies the migrations that the database has not seen, in the order of their numbers, each in a transaction
 * of its own. Two processes that migrate at once wait for each other. Returns the names that were applied.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(7283461)')
    await client.query('set lock_timeout = 10000')
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz(3) not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const applied = new Set(rows.map(row => row.name))
    const files = (await readdir(folder)).filter(name => /^\d{4}-.+\.sql$/.test(name)).sort()
    const pending = files.filter(name => !applied.has(name))
    for (const name of pending) {
      const text = await readFile(new URL(name, folder), 'utf8')
      try {
        await client.query('begin')
        await client.query(text)
        await client.query('insert into migration (name) values ($1)', [name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return pending
  } finally {
    await client.end().catch(() => {})
  }
}
