import { statfs } from 'node:fs/promises'
import { listOperatedMails, readHealth, type ServerHealth } from '#contract/identity/health.ts'
import { areas } from './areas.ts'
import { query, type ServedOperation } from './platform/http/operation.ts'
import { pageOf } from './platform/http/pagination.ts'
import { listJobRuns } from './platform/jobs/job-run.ts'
import { listMails, readQueueState } from './platform/jobs/mail-queue.sql.ts'
import { readPlatformHealth } from './platform/server-health.sql.ts'
import type { Services } from './platform/services.ts'
import { programVersion } from './platform/version.ts'

/** The health of the whole server, for its operators (OPR-11). */
const health = query(readHealth, async ({ services }) => {
  const { database } = services
  const [platform, { oldestSeconds: _, ...mails }, jobs, disks, ...parts] = await Promise.all([
    readPlatformHealth(database),
    readQueueState(database),
    listJobRuns(database),
    readDisks(services.diskFolders ?? []),
    ...areas.map(area => area.health?.(database)),
  ])
  const { at, ...state } = platform.state
  const own = { at, version: programVersion, relay: platform.relay, mails, jobs, disks, database: state }
  return Object.assign({}, own, ...parts) as ServerHealth
})

const mails = query(listOperatedMails, async ({ query, services: { database } }) => {
  const { limit, offset } = pageOf(query)
  const { kind, state } = query
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
