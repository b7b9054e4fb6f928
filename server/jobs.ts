import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { askPassword } from './ask-password.ts'
import { type Config, ConfigError, requireDatabase } from './config.ts'
import { expireCursors } from './crm/leads/sync/lead-sync.sql.ts'
import { createOperator } from './identity/index.ts'
import { startEmbedded } from './platform/data/embedded.ts'
import { migrate } from './platform/data/migrate.ts'
import { databaseUrlFile } from './up.ts'
import { openForJob, withSignIn } from './with-sign-in.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** `migrate`: applies what is pending and says what it applied. */
export async function runMigrate(config: Config): Promise<number> {
  const applied = await migrate(requireDatabase(config).databaseUrl)
  say(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply.')
  return 0
}

/**
 * `operator create --email E --name N`: makes the account of an operator. The password comes
 * from standard input: see askPassword.
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
  say(`${email} can sign in now and run this server.`)
  return 0
}

/** `restored`: readers of changes were told of some that the backup does not know, so they begin again. */
export async function runRestored(config: Config): Promise<number> {
  await withDatabase(config, async databaseUrl => {
    const database = await openForJob(databaseUrl)
    try {
      say(`Cursors of GET /leads/sync have ended in ${await expireCursors(database.wide)} organizations.`)
    } finally {
      await database.close()
    }
  })
  return 0
}

/** The database of DATABASE_URL, that of the server which runs on this data folder, or one started for the job. */
async function withDatabase(config: Config, work: (databaseUrl: string) => Promise<unknown>): Promise<void> {
  const there = config.databaseUrl ?? (await runningUrl(config.dataDir))
  const own =
    there === undefined ? await startEmbedded({ dataDir: config.dataDir, log: () => {} }) : undefined
  try {
    const databaseUrl = there ?? own!.url
    await migrate(databaseUrl)
    await work(databaseUrl)
  } finally {
    await own?.stop()
  }
}

async function runningUrl(dataDir: string): Promise<string | undefined> {
  if (!existsSync(databaseUrlFile(dataDir))) return undefined
  const url = readFileSync(databaseUrlFile(dataDir), 'utf8').trim()
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  // a server that was killed leaves the file behind
  const isThere = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isThere ? url : undefined
}

/** `openapi`: prints the document of every operation. */
export async function runOpenApi(): Promise<number> {
  // most of the program, which no other job needs
  const [{ openApiDocument }, { operationContracts }] = await Promise.all([
    import('./openapi.ts'),
    import('./operations.ts'),
  ])
  say(JSON.stringify(openApiDocument(operationContracts, 'http://localhost:4000'), null, 2))
  return 0
}
