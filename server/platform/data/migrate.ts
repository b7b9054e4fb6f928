import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const migrations = new URL('../../../migrations/', import.meta.url)

/**
 * Applies the migrations that the database has not seen, in the order of their numbers, each in a transaction
 * of its own; one that begins with `-- outside a transaction` is one statement that PostgreSQL runs in none, such
 * as `create index concurrently`. Two processes that migrate at once wait for each other. Returns the names that
 * were applied.
 */
export async function migrate(databaseUrl: string, folder: URL = migrations): Promise<string[]> {
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
      const isOutside = text.startsWith('-- outside a transaction')
      try {
        if (isOutside) await dropUnfinishedIndexes(client)
        else await client.query('begin')
        await client.query(text)
        await client.query('insert into migration (name) values ($1)', [name])
        if (!isOutside) await client.query('commit')
      } catch (error) {
        if (!isOutside) await client.query('rollback').catch(() => {})
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return pending
  } finally {
    await client.end().catch(() => {})
  }
}

/** An index whose concurrent building was cut short stays behind, takes writes, and is never used. */
async function dropUnfinishedIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid',
  )
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`)
}
