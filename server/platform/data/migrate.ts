import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { commandLine } from '../version.ts'

const migrationFolder = new URL('../../../migrations/', import.meta.url)

type MigrationFile = { name: string; text: string; checksum: string }
type AppliedMigration = { name: string; checksum: string }

/** Requests that need the same table wait as long as a migration waits for its lock. */
const lockTimeoutMs = 300
/** While an index is built beside running writers, nobody waits for it. */
const lockTimeoutOutsideMs = 10_000
const lockAttempts = 120
const lockPauseMs = 700
const lockNotAvailable = '55P03'
/** The advisory lock for changes of the schema. */
const schemaLockKey = 7_283_461
const schemaLockPauseMs = 100

/** The database and the migration files do not fit together. The message says what to do. */
export class MigrationError extends Error {
  /** The message is meant for the person at the terminal and is printed without a stack. */
  readonly isForPeople = true
}

/**
 * Applies the migrations that the database does not have, in the order of their numbers, each in its own
 * transaction. A file that begins with `-- outside a transaction` holds statements that cannot run in one, such as
 * `create index concurrently`. They run one after another, and all again after a failure. Two processes that migrate at
 * once wait for each other. A migration that does not get a lock at once gives up those that it has, and tries again for
 * two minutes, so that running servers do not wait behind it. Returns the applied names.
 *
 * Throws MigrationError when the database was migrated by a newer version, when an applied file has changed since,
 * when a pending file comes before an applied one, and when a migration fails.
 */
export async function migrate(databaseUrl: string, folder: URL = migrationFolder): Promise<string[]> {
  return withSchemaLock(databaseUrl, async client => {
    // on Citus, a new table may then refer to distributed ones before it is distributed itself; others accept any such name
    await client.query('set citus.enable_local_reference_table_foreign_keys to off')
    await client.query(
      `create table if not exists migration (
        name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
    )
    const pending = pendingOf(await readFolder(folder), await appliedOf(client))
    for (const file of pending) await apply(client, file)
    return pending.map(({ name }) => name)
  })
}

/**
 * Throws MigrationError unless the database has exactly the migrations of this version (API-50). An API process or a worker
 * calls it at its start; without a connection it returns, because the process waits for its database anyway.
 */
export async function assertMigrated(databaseUrl: string, folder: URL = migrationFolder): Promise<void> {
  const applied = await withClient(databaseUrl, appliedOf).catch((error: unknown) => {
    if (error instanceof MigrationError) throw error
  })
  if (!applied) return
  const [first] = pendingOf(await readFolder(folder), applied)
  if (first) {
    throw new MigrationError(
      `The database lacks the migration ${first.name}. Run: ${commandLine.program} migrate (docs/guides/upgrade.md)`,
    )
  }
}

/**
 * Works on a connection of its own while no other process changes the schema. Waits for one that does: it asks again and again,
 * because a concurrent build of an index waits for the statements of others, also for one that waits for the lock of its builder.
 */
export async function withSchemaLock<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withClient(databaseUrl, async client => {
    while (
      !(await client.query('select pg_try_advisory_lock($1) as "isMine"', [schemaLockKey])).rows[0].isMine
    )
      await sleep(schemaLockPauseMs)
    return work(client)
  })
}

/** Works on a connection of its own, outside the pools of the process. */
export async function withClient<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function readFolder(folder: URL): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter(name => /^\d{4}-.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(new URL(name, folder), 'utf8')
      // a checkout may have other line ends
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
      return { name, text, checksum }
    }),
  )
}

async function appliedOf(client: pg.Client): Promise<AppliedMigration[]> {
  try {
    const { rows } = await client.query<AppliedMigration>(
      'select name, checksum from migration order by name',
    )
    return rows
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '42P01') return []
    if (code !== '42703') throw error
    throw new MigrationError(
      'This database was created by a version before the first release and cannot be upgraded. Start with an empty database.',
    )
  }
}

/** The files that the database does not have. Throws MigrationError when they do not continue what it has. */
function pendingOf(files: readonly MigrationFile[], applied: readonly AppliedMigration[]): MigrationFile[] {
  const byName = new Map(files.map(file => [file.name, file]))
  for (const { name, checksum } of applied) {
    const file = byName.get(name)
    if (!file) {
      throw new MigrationError(
        `The database is newer than this version of Patio: it has the migration ${name}, which this version does not know. Start the newer version, or restore a backup that was made before the upgrade: docs/guides/upgrade.md.`,
      )
    }
    if (file.checksum !== checksum) {
      throw new MigrationError(
        `migrations/${name} is not the file that was applied to this database. Restore the file of the release; a change of the schema goes into a new file: docs/guides/upgrade.md.`,
      )
    }
  }
  const last = applied.at(-1)?.name ?? ''
  const pending = files.filter(({ name }) => !applied.some(one => one.name === name))
  const late = pending.find(({ name }) => name < last)
  if (late) {
    throw new MigrationError(
      `migrations/${late.name} comes before ${last}, which is applied already. Give it a number after the last one.`,
    )
  }
  return pending
}

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  const isOutside = file.text.startsWith('-- outside a transaction')
  try {
    if (isOutside) {
      await client.query(`set lock_timeout = ${lockTimeoutOutsideMs}`)
      await runOutside(client, file.text)
      await record(client, file)
    } else await applyInTransaction(client, file)
  } catch (error) {
    throw new Error(`Migration ${file.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function applyInTransaction(client: pg.Client, file: MigrationFile): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
      await client.query(file.text)
      await record(client, file)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if ((error as { code?: string }).code !== lockNotAvailable || attempt === lockAttempts) throw error
    }
    await sleep(lockPauseMs)
  }
}

async function record(client: pg.Client, { name, checksum }: MigrationFile): Promise<void> {
  await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
}

/** Runs each statement on its own, because PostgreSQL runs several that are sent at once in one transaction. */
async function runOutside(client: pg.Client, text: string): Promise<void> {
  for (const name of await unfinishedIndexes(client))
    await client.query(`drop index concurrently if exists ${name}`)
  for (const statement of statementsOutside(text)) await client.query(statement)
  // `if not exists` accepts an index that another process began in the meantime
  const unfinished = await unfinishedIndexes(client)
  if (unfinished.length > 0) throw new Error(`the index ${unfinished[0]} is not valid; migrate again`)
}

/**
 * The statements of a file that runs outside a transaction. A semicolon ends a statement only at the end of a line, and lines of
 * comments are left out; the invariants of migrations refuse other texts.
 */
export function statementsOutside(text: string): string[] {
  return text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(Boolean)
}

/** An index whose concurrent build was interrupted stays behind: it costs writes and is never used. */
async function unfinishedIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid',
  )
  return rows.map(({ name }) => name)
}
