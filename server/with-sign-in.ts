import { join } from 'node:path'
import type { Config } from './config.ts'
import { openIdentity, type SignInService } from './identity/area.ts'
import { openMail } from './platform/adapters/mail.ts'
import { type Database, openDatabase } from './platform/data/database.ts'
import { openLog } from './platform/log.ts'

/** Opens the database and sign-in for one job. */
export async function withSignIn<Result>(
  config: Config & { databaseUrl: string },
  work: (database: Database, signIn: SignInService) => Promise<Result>,
): Promise<Result> {
  const log = openLog('warn', 'job')
  const database = await openForJob(config.databaseUrl)
  const mail = openMail(undefined, join(config.dataDir, 'mail'), config.mailFrom)
  try {
    const freshness = { generation: () => 0, isFresh: () => true }
    const { signIn } = await openIdentity({ ...config, database, pool: database.pool, mail, log, freshness })
    return await work(database, signIn)
  } finally {
    await mail.close()
    await database.close()
  }
}

/** The database with the timeouts of a job. */
export function openForJob(url: string): Promise<Database> {
  return openDatabase({
    url,
    applicationName: 'patio job',
    poolSize: 4,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
    lockTimeoutMs: 20_000,
    idleInTransactionTimeoutMs: 60_000,
  })
}
