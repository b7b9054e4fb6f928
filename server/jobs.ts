import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { askPassword } from './ask-password.ts'
import { letReadersStartAgain } from './backup/after-restore.ts'
import { type Config, ConfigError, requireDatabase } from './config.ts'
import { distribute, isDistributed } from './distribution/distribute.sql.ts'
import { createOperator } from './identity/area.ts'
import type { Database } from './platform/data/database.ts'
import { startEmbedded } from './platform/data/embedded.ts'
import { migrate } from './platform/data/migrate.ts'
import { changeLayout, isLeaseCount, mostLeases } from './platform/events/relay-layout.ts'
import { listLeases } from './platform/events/relay-lease.sql.ts'
import { databaseUrlFile } from './up.ts'
import { openForJob, withSignIn } from './with-sign-in.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)

/** `migrate`: applies pending migrations and prints their names. Distributes the new tables of a distributed database. */
export async function runMigrate(config: Config): Promise<number> {
  const { databaseUrl } = requireDatabase(config)
  const applied = await migrate(databaseUrl)
  print(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply.')
  if (await isDistributed(databaseUrl)) await distribute(databaseUrl, { print })
  return 0
}

/**
 * `distribute [--shards N]`: applies pending migrations and distributes the tables of a database on Citus by organization. Can be
 * repeated.
 */
export async function runDistribute(config: Config, args: string[]): Promise<number> {
  const { shards } = parseArgs({ args, options: { shards: { type: 'string' } } }).values
  if (shards !== undefined && !(Number.isInteger(Number(shards)) && Number(shards) >= 1))
    throw new ConfigError('Usage: distribute [--shards N], with the number of shards of each table')
  const { databaseUrl } = requireDatabase(config)
  await migrate(databaseUrl)
  const tables = await distribute(databaseUrl, {
    shardCount: shards === undefined ? undefined : Number(shards),
    print,
  })
  print(
    `${tables.distributed} tables are distributed by organization, ${tables.reference} are on every node, and ${tables.local} on the coordinator.`,
  )
  return 0
}

/**
 * `operator create --email E --name N`: creates the account of an operator. Reads the password from standard
 * input: see askPassword.
 */
export async function runOperator(config: Config, args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { email: { type: 'string' }, name: { type: 'string' } },
  })
  const { email, name } = values
  if (positionals[0] !== 'create' || !email || !name) {
    throw new ConfigError('Usage: operator create --email you@example.com --name "Your Name"')
  }
  const account = { email, name, password: await askPassword(process.stdin, process.stderr) }
  await withDatabaseUrl(config, databaseUrl =>
    withSignIn({ ...config, databaseUrl }, (database, signIn) => createOperator(database, signIn, account)),
  )
  print(`Created the operator account of ${email}.`)
  return 0
}

/**
 * `restored`: readers of changes may have seen changes that the backup does not contain, so they must start
 * again.
 */
export async function runRestored(config: Config): Promise<number> {
  await withDatabase(config, database => letReadersStartAgain(database, null))
  print('Event streams and cursors of GET /leads/sync start again; webhooks receive RESYNC.')
  return 0
}

/**
 * `relays [count]`: prints the leases of the outbox relay and their holders. With a count, replaces the leases first; workers take
 * the new ones within seconds.
 */
export async function runRelays(config: Config, args: string[]): Promise<number> {
  const [count, ...others] = parseArgs({ args, allowPositionals: true }).positionals
  if (others.length > 0 || (count !== undefined && !isLeaseCount(Number(count))))
    throw new ConfigError(`Usage: relays [count], with a count from 1 to ${mostLeases}`)
  const leases = await withDatabase(config, async (database, databaseUrl) => {
    if (count !== undefined) await changeLayout(databaseUrl, database, Number(count))
    return database.crossTenant.rows(listLeases)
  })
  print(`${leases.length} ${leases.length === 1 ? 'lease' : 'leases'} of the outbox relay:`)
  for (const { name, holder } of leases) print(`  ${name.padEnd(14)} ${holder ?? 'free'}`)
  return 0
}

/** Opens the database of `withDatabaseUrl` for one job. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database, databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  return withDatabaseUrl(config, async databaseUrl => {
    const database = await openForJob(databaseUrl)
    try {
      return await work(database, databaseUrl)
    } finally {
      await database.close()
    }
  })
}

/**
 * The database of DATABASE_URL, of the server that uses this data folder, or one that is started for the job. Its pending
 * migrations are applied.
 */
async function withDatabaseUrl<Result>(
  config: Config,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  return withRunningDatabase(config, async databaseUrl => {
    await migrate(databaseUrl)
    return work(databaseUrl)
  })
}

/** The same, with the schema that the database has. */
export async function withRunningDatabase<Result>(
  config: Config,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const existing = config.databaseUrl ?? (await runningUrl(config.dataDir))
  const embedded =
    existing === undefined ? await startEmbedded({ dataDir: config.dataDir, log: () => {} }) : undefined
  try {
    return await work(existing ?? embedded!.url)
  } finally {
    await embedded?.stop()
  }
}

async function runningUrl(dataDir: string): Promise<string | undefined> {
  if (!existsSync(databaseUrlFile(dataDir))) return undefined
  const url = readFileSync(databaseUrlFile(dataDir), 'utf8').trim()
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  // a killed server leaves the file behind
  const isThere = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isThere ? url : undefined
}

/** `openapi`: prints the OpenAPI document. */
export async function runOpenApi(): Promise<number> {
  // most of the program, which other jobs do not need
  const [{ openApiDocument }, { operationContracts }] = await Promise.all([
    import('./openapi.ts'),
    import('./operations.ts'),
  ])
  print(JSON.stringify(openApiDocument(operationContracts, 'http://localhost:4000'), null, 2))
  return 0
}
