import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { isFirstRun } from './identity/accounts.ts'
import { type Database, openDatabase } from './platform/data/database.ts'
import { crossTenantSql } from './platform/data/statement.ts'
import { openCipher } from './platform/security/cipher.ts'

/**
 * On the first start: demo organizations and people in demo mode, with random passwords in `demo.json`;
 * otherwise no account is made, and `say` tells how to make one. `demo.json` is never written again.
 */
export async function firstRun(
  config: Config & { databaseUrl: string },
  say: (text: string) => void,
): Promise<void> {
  const path = join(config.dataDir, 'demo.json')
  const unfinished = join(config.dataDir, 'demo.unfinished')
  if (!(await looksNew(config.databaseUrl, existsSync(unfinished)))) return
  if (!config.demo) {
    say(
      'No account exists yet. Make one: node server/main.mjs operator create --email you@example.com --name "Your Name"',
    )
    return
  }
  writeFileSync(unfinished, '', { flush: true })
  // loaded only now: sign-in is most of the program, and every later start can do without
  const [
    identity,
    studio,
    marketplace,
    integrations,
    chat,
    crm,
    billing,
    { openFiles },
    { openGateways },
    { withSignIn },
  ] = await Promise.all([
    import('./identity/index.ts'),
    import('./studio/index.ts'),
    import('./marketplace/index.ts'),
    import('./integrations/index.ts'),
    import('./chat/index.ts'),
    import('./crm/index.ts'),
    import('./billing/index.ts'),
    import('./platform/adapters/files.ts'),
    import('./platform/adapters/gateway.ts'),
    import('./with-sign-in.ts'),
  ])
  const files = await openFiles({ url: config.filesUrl, dataDir: config.dataDir, s3: config.s3 })
  const cipher = openCipher([config.signInSecret])
  const demo = await withSignIn(config, async (database, signIn) => {
    const gateways = openGateways(database, config.publicUrl)
    const areas = [
      studio.furnishStudio,
      marketplace.seedMarketplace,
      integrations.seedIntegrations,
      chat.furnishChat,
      crm.furnishCrm({ database, files, cipher, maxFileBytes: config.maxFileBytes }),
      billing.furnishBilling({ gateways }),
    ]
    return identity.makeDemo(database, signIn, areas).finally(() => gateways.close())
  }).finally(() => files.close())
  const text = JSON.stringify({ baseUrl: config.publicUrl, ...demo }, null, 2)
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  rmSync(unfinished)
  say(`Demo organizations made; their passwords are in ${path}`)
}

/** True while nobody has an account; what a first start left unfinished is removed before. */
async function looksNew(databaseUrl: string, wasCutShort: boolean): Promise<boolean> {
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
    if (wasCutShort) await beginAnew(database)
    return await isFirstRun(database)
  } finally {
    await database.close()
  }
}

const wasUsed = crossTenantSql<{ used: boolean }, []>(
  'asks whether anybody ever signed in',
  'select exists (select 1 from session) as used',
)

/**
 * A start that was killed while it made the demo left people whose passwords nobody knows. Nobody can have
 * signed in yet, so all of it is removed and made again.
 */
async function beginAnew(database: Database): Promise<void> {
  if ((await database.wide.first(wasUsed))?.used) return
  await database.pool.query('truncate organization, person, outbox cascade')
}
