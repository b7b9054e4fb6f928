import { statfs } from 'node:fs/promises'
import { listOperatedMails, readHealth } from '#contract/identity/health.ts'
import { countStuckPayments } from './billing/index.ts'
import { readWebhookBacklog } from './integrations/index.ts'
import { query, type ServedOperation, type Services } from './platform/http/operation.ts'
import { listJobRuns } from './platform/jobs/job-run.ts'
import { listMails, readQueueState } from './platform/jobs/mail-queue.sql.ts'
import { readPlatformHealth } from './platform/server-health.sql.ts'
import { programVersion } from './platform/version.ts'

/** The health of the whole server, for its operators (OPR-11). */
const health = query(readHealth, async ({ services }) => {
  const { database } = services
  const [{ relay, state }, webhooks, { oldestSeconds: _, ...mails }, payments, jobs, disks] =
    await Promise.all([
      readPlatformHealth(database),
      readWebhookBacklog(database),
      readQueueState(database),
      countStuckPayments(database),
      listJobRuns(database),
      readDisks(services.diskFolders ?? []),
    ])
  const { at, ...rest } = state
  return { at, version: programVersion, relay, webhooks, mails, payments, jobs, disks, database: rest }
})

const mails = query(listOperatedMails, async ({ query, services: { database } }) => {
  const { limit = 20, offset = 0, kind, state } = query
  return { ...(await listMails(database, { kind, state }, limit, offset)), limit, offset }
})

async function readDisks(folders: NonNullable<Services['diskFolders']>) {
  return Promise.all(
    folders.map(async ({ folder, path }) => {
      const { bsize, bavail, blocks } = await statfs(path)
      return { folder, freeBytes: bsize * bavail, totalBytes: bsize * blocks }
    }),
  )
}

/** The operations for operators on the server as a whole. */
export const serverHealthOperations: ServedOperation[] = [health, mails]
