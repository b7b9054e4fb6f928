import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { isFirstRun } from './identity/jobs.ts'
import { type Database, openDatabase } from './platform/data/database.ts'
import { crossTenantSql } from './platform/data/statement.ts'
import { openCipher } from './platform/security/cipher.ts'
import { commandLine } from './platform/version.ts'

/**
 * On the first start in demo mode, creates demo organizations and people, with random passwords in
 * `demo.json`; otherwise `print` explains how to create an account. `demo.json` is never written again.
 */
export async function firstRun(
  config: Config & { databaseUrl: string },
  print: (text: string) => void,
): Promise<void> {
  const path = demoFileOf(config)
  const unfinished = join(config.dataDir, 'demo.unfinished')
  if (!(await isNewDatabase(config.databaseUrl, existsSync(unfinished)))) return
  if (!config.demo) {
    print(
      `No account exists yet. Create one: ${commandLine.program} operator create --email you@example.com --name "Your Name"`,
    )
    return
  }
  writeFileSync(unfinished, '', { flush: true })
  const [{ areas }, { seedDemo }, { openFiles }, { openGateways }, { withSignIn }] = await loadDemo()
  const files = await openFiles({ url: config.filesUrl, dataDir: config.dataDir, s3: config.s3 })
  const cipher = openCipher([config.signInSecret])
  const demo = await withSignIn(config, async (database, signIn) => {
    const gateways = openGateways(database, config.publicUrl)
    const services = { database, files, cipher, gateways, maxFileBytes: config.maxFileBytes }
    const seeds = areas.flatMap(({ seed }) => (seed ? [seed(services)] : []))
    return seedDemo(database, signIn, seeds).finally(() => gateways.close())
  }).finally(() => files.close())
  const text = JSON.stringify({ baseUrl: config.publicUrl, ...demo }, null, 2)
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  rmSync(unfinished)
  print(`Created demo organizations; their passwords are in ${path}`)
}

/** Loads what creates the demo beside the creation of the database, if the demo was not created yet. */
export function loadDemoAhead(config: Config): void {
  // an error is thrown again by the first run
  if (config.demo && !existsSync(demoFileOf(config))) loadDemo().catch(() => {})
}

/** Loaded only where it is needed: sign-in is most of the program, and later starts do not need it. */
function loadDemo() {
  return Promise.all([
    import('./areas.ts'),
    import('./identity/area.ts'),
    import('./platform/adapters/files.ts'),
    import('./platform/adapters/gateway.ts'),
    import('./with-sign-in.ts'),
  ])
}

/** The file with the people of the demo and their passwords. */
export function demoFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'demo.json')
}

/** True if nobody has an account. Removes an unfinished demo first. */
async function isNewDatabase(databaseUrl: string, isUnfinished: boolean): Promise<boolean> {
  const database = await openDatabase({
    url: databaseUrl,
    applicationName: 'patio first run',
    poolSize: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 20_000,
    idleInTransactionTimeoutMs: 60_000,
  })
  try {
    if (isUnfinished) await removeUnfinishedDemo(database)
    return await isFirstRun(database)
  } finally {
    await database.close()
  }
}

const hasSessions = crossTenantSql<{ used: boolean }>(
  'checks whether anybody ever signed in',
  'select exists (select 1 from session) as used',
)

/**
 * A start that was killed while it created the demo left people with unknown passwords. If nobody has signed
 * in, everything is removed and created again.
 */
async function removeUnfinishedDemo(database: Database): Promise<void> {
  if ((await database.crossTenant.first(hasSessions))?.used) return
  await database.pool.query('truncate organization, person, outbox cascade')
}
