import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { askPassword } from './ask-password.ts'
import { letReadersStartAgain } from './backup/after-restore.ts'
import { importHistory } from './chat/jobs.ts'
import { type Config, ConfigError, requireDatabase } from './config.ts'
import { createOperator } from './identity/area.ts'
import type { Database } from './platform/data/database.ts'
import { startEmbedded } from './platform/data/embedded.ts'
import { migrate } from './platform/data/migrate.ts'
import { isLeaseCount, mostLeases, setLayout } from './platform/events/relay-layout.ts'
import { listLeases } from './platform/events/relay-lease.sql.ts'
import { databaseUrlFile } from './up.ts'
import { openForJob, withSignIn } from './with-sign-in.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)

/** `migrate`: applies pending migrations and prints their names. */
export async function runMigrate(config: Config): Promise<number> {
  const applied = await migrate(requireDatabase(config).databaseUrl)
  print(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply.')
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
  await withDatabase(config, databaseUrl =>
    withSignIn({ ...config, databaseUrl }, (database, signIn) => createOperator(database, signIn, account)),
  )
  print(`Created the operator account of ${email}.`)
  return 0
}

/**
 * `import-chat --organization O --owner E --from F [--dry-run]`: imports the channels of an export of Slack (.zip) or
 * Mattermost (.jsonl).
 */
export async function runImportChat(config: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      organization: { type: 'string' },
      owner: { type: 'string' },
      from: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const { organization: organizationId, owner, from, 'dry-run': isDryRun } = values
  if (!organizationId || !owner || !from || !/\.(?:zip|jsonl)$/.test(from))
    throw new ConfigError(
      'Usage: import-chat --organization <id> --owner you@example.com --from slack.zip|mattermost.jsonl [--dry-run]',
    )
  await withJobDatabase(config, async database => {
    const report = await importHistory(database, { organizationId, owner, from, isDryRun }, print)
    print(
      `${isDryRun ? 'Would import' : 'Imported'} ${report.added} messages in ${report.channels} channels into ${report.organization}.` +
        (report.skipped > 0 ? ` ${report.skipped} were there already.` : ''),
    )
    print(`${report.matchedPeople} people have an account with the same e-mail.`)
    if (report.unmatchedPeople.length > 0)
      print(`Named in the text, because they have none: ${report.unmatchedPeople.join(', ')}.`)
    if (report.leftOut.length > 0) print(`Left out: ${report.leftOut.length} direct conversations.`)
  })
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
  const leases = await withJobDatabase(config, async database => {
    if (count !== undefined) await setLayout(database, Number(count))
    return database.crossTenant.rows(listLeases)
  })
  print(`${leases.length} ${leases.length === 1 ? 'lease' : 'leases'} of the outbox relay:`)
  for (const { name, holder } of leases) print(`  ${name.padEnd(14)} ${holder ?? 'free'}`)
  return 0
}

/**
 * `restored`: readers of changes may have seen changes that the backup does not contain, so they must start
 * again.
 */
export async function runRestored(config: Config): Promise<number> {
  await withJobDatabase(config, database => letReadersStartAgain(database, null))
  print('Event streams and cursors of GET /leads/sync start again; webhooks receive RESYNC.')
  return 0
}

/**
 * The database of DATABASE_URL, of the server that uses this data folder, or one that is started for the job.
 */
async function withDatabase<Result>(
  config: Config,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  return withRunningDatabase(config, async databaseUrl => {
    await migrate(databaseUrl)
    return work(databaseUrl)
  })
}

/** The same, as an open database. */
async function withJobDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withDatabase(config, async databaseUrl => {
    const database = await openForJob(databaseUrl)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
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
