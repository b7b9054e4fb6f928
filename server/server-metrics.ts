import { statfs } from 'node:fs/promises'
import type pg from 'pg'
import { countOpenDifferences, countStuckPayments } from './billing/index.ts'
import { secondsAhead } from './crm/index.ts'
import { readWebhookBacklog } from './integrations/index.ts'
import type { Database } from './platform/data/database.ts'
import type { Services } from './platform/http/operation.ts'
import { type JobRun, listJobRuns } from './platform/jobs/job-run.ts'
import { readQueueState } from './platform/jobs/mail-queue.sql.ts'
import type { Log } from './platform/log.ts'
import { type Metrics, readSometimes, type Samples } from './platform/metrics.ts'
import { readPlatformHealth } from './platform/server-health.sql.ts'

/** Scrapers give up after 10 seconds, and would then see nothing at all. */
const scrapeTimeoutMs = 3_000
/** The interval of readings that cost the database something. */
const totalsMs = 10_000
const processMs = 1_000
/** The job that records the runs of the command `backup`. */
const backupJob = 'back up'

type PoolState = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'query'> & {
  options: { max: number }
}
type DiskFolders = NonNullable<Services['diskFolders']>

/** Gauges of one process: its database connections, and the disks of its machine. */
export function registerProcessMetrics(metrics: Metrics, pool: PoolState, folders: DiskFolders): void {
  metrics.gauge(
    'patio_database_connections',
    'Connections of the pool of this process, in use or idle',
    () =>
      new Map([
        ['in_use', pool.totalCount - pool.idleCount],
        ['idle', pool.idleCount],
      ]),
    'state',
  )
  metrics.gauge('patio_database_max_connections', 'Size of that pool', () => pool.options.max)
  metrics.gauge(
    'patio_database_waiting',
    'Work that waits for one of these connections',
    () => pool.waitingCount,
  )
  const isUp = readSometimes(() => pool.query('select 1'), { everyMs: processMs, timeoutMs: scrapeTimeoutMs })
  metrics.gauge(
    'patio_database_up',
    '1 if this process gets an answer from the database, else 0',
    async () => ((await isUp()) ? 1 : 0),
  )
  const readDisks = readSometimes(() => Promise.all(folders.map(({ path }) => statfs(path))), {
    everyMs: processMs,
    timeoutMs: scrapeTimeoutMs,
  })
  async function bytes(blocks: 'bavail' | 'blocks'): Promise<Samples> {
    const disks = await readDisks()
    return disks && new Map(disks.map((disk, index) => [labelOf(folders[index]!), disk.bsize * disk[blocks]]))
  }
  metrics.gauge(
    'patio_disk_free_bytes',
    'Free bytes of the disk with DATA_DIR (data) or the file store (files)',
    () => bytes('bavail'),
    'folder',
  )
  metrics.gauge('patio_disk_size_bytes', 'Size of that disk', () => bytes('blocks'), 'folder')
}

const labelOf = ({ folder }: DiskFolders[number]) => folder.toLowerCase()

/** The state of the whole server. A part that could not be read is missing. */
export type ServerTotals = Partial<{
  platform: Awaited<ReturnType<typeof readPlatformHealth>>
  webhooks: Awaited<ReturnType<typeof readWebhookBacklog>>
  mails: Awaited<ReturnType<typeof readQueueState>>
  payments: Awaited<ReturnType<typeof countStuckPayments>>
  differences: number
  leadClock: number
  jobs: JobRun[]
}>

/**
 * Reads the totals of the server, with one connection at a time, because a worker has few. Each statement reads a bounded number
 * of rows through an index.
 */
export async function readServerTotals(
  database: Pick<Database, 'crossTenant'>,
  log: Pick<Log, 'warn'>,
): Promise<ServerTotals> {
  const { crossTenant } = database
  async function part<Figures>(read: () => Promise<Figures>): Promise<Figures | undefined> {
    return read().catch(error => {
      log.warn({ err: error }, 'a part of the metrics could not be read')
      return undefined
    })
  }
  const totals = {
    platform: await part(() => readPlatformHealth(database)),
    webhooks: await part(() => readWebhookBacklog(database)),
    mails: await part(() => readQueueState(database)),
    payments: await part(() => countStuckPayments(database)),
    differences: await part(() => countOpenDifferences(database)),
    leadClock: await part(() => secondsAhead(crossTenant)),
    jobs: await part(() => listJobRuns(database)),
  }
  return totals as ServerTotals
}

type Total = { name: string; help: string; label?: string; of(totals: ServerTotals): Samples }

/** The gauges of the state that all processes share. */
const totals: Total[] = [
  {
    name: 'patio_outbox_rows',
    help: 'Outbox rows that the relay has not processed; at most 10,000 are counted',
    of: ({ platform }) => platform?.relay.pending,
  },
  {
    name: 'patio_outbox_oldest_seconds',
    help: 'Age of the oldest of these rows: how far events are behind',
    of: ({ platform }) => platform?.relay.oldestSeconds,
  },
  {
    name: 'patio_outbox_quarantined_rows',
    help: 'Outbox rows that the relay could not process',
    of: ({ platform }) => platform?.relay.quarantined,
  },
  {
    name: 'patio_database_size_bytes',
    help: 'Size of the database',
    of: ({ platform }) => platform?.state.bytes,
  },
  {
    name: 'patio_webhook_endpoints_behind',
    help: 'Webhook endpoints with a delivery that is due',
    of: ({ webhooks }) => webhooks?.endpointsBehind,
  },
  {
    name: 'patio_webhook_oldest_due_seconds',
    help: 'Seconds since the oldest of these deliveries was due',
    of: ({ webhooks }) => webhooks?.oldestDueSeconds,
  },
  {
    name: 'patio_webhook_shards_without_owner',
    help: 'Endpoint shards without a dispatcher',
    of: ({ webhooks }) => webhooks?.shardsWithoutOwner,
  },
  {
    name: 'patio_webhook_paused_endpoints',
    help: 'Webhook endpoints that are paused',
    of: ({ webhooks }) => webhooks?.pausedEndpoints,
  },
  {
    name: 'patio_webhook_scheduled_deliveries',
    help: 'Retries and recoveries that wait for their time; at most 10,000 are counted',
    of: ({ webhooks }) => webhooks?.scheduledDeliveries,
  },
  {
    name: 'patio_mail_queue_mails',
    help: 'Mails that wait: for their first attempt, or for a retry',
    label: 'state',
    of: ({ mails }) =>
      mails &&
      new Map([
        ['queued', mails.queued - mails.failing],
        ['retrying', mails.failing],
      ]),
  },
  {
    name: 'patio_mail_queue_oldest_seconds',
    help: 'Age of the oldest of these mails',
    of: ({ mails, platform }) => mails && platform && secondsBetween(mails.oldestAt, platform.state.at),
  },
  {
    name: 'patio_mail_refused',
    help: 'Mails that were given up and are still listed for operators',
    of: ({ mails }) => mails?.refused,
  },
  {
    name: 'patio_payment_stuck_charges',
    help: 'Charges without a result for more than an hour',
    of: ({ payments }) => payments?.stuckCharges,
  },
  {
    name: 'patio_payment_stuck_refunds',
    help: 'Refunds that the gateway has not answered for more than an hour',
    of: ({ payments }) => payments?.stuckRefunds,
  },
  {
    name: 'patio_reconciliation_differences',
    help: 'Open differences between the ledger and the gateways; at most 10,000 are counted',
    of: ({ differences }) => differences,
  },
  {
    name: 'patio_lead_clock_ahead_seconds',
    help: 'Seconds that the time of the latest lead change is ahead of the database clock',
    of: ({ leadClock }) => leadClock,
  },
  {
    name: 'patio_job_last_run_timestamp_seconds',
    help: 'When a job last ran, in any worker',
    label: 'job_name',
    of: ({ jobs }) => timesOf(jobs, 'ranAt'),
  },
  {
    name: 'patio_job_last_success_timestamp_seconds',
    help: 'When a job last succeeded',
    label: 'job_name',
    of: ({ jobs }) => timesOf(jobs, 'succeededAt'),
  },
  {
    name: 'patio_job_last_failure_timestamp_seconds',
    help: 'When a job last failed',
    label: 'job_name',
    of: ({ jobs }) => timesOf(jobs, 'failedAt'),
  },
  {
    name: 'patio_backup_age_seconds',
    help: 'Seconds since the last backup that succeeded; missing if this server never made one',
    of: ({ jobs, platform }) => {
      const succeededAt = jobs?.find(({ name }) => name === backupJob)?.succeededAt
      return succeededAt && platform ? secondsBetween(succeededAt, platform.state.at) : undefined
    },
  },
]

/**
 * Registers the gauges of the state that all processes share. Only the worker that holds the lease of the relay shows them, so
 * that the statements run in one process: their absence means that no worker does.
 */
export function registerServerTotals(
  metrics: Metrics,
  readTotals: () => Promise<ServerTotals>,
  isShown: () => boolean,
): void {
  const read = readSometimes(readTotals, { everyMs: totalsMs, timeoutMs: scrapeTimeoutMs })
  for (const { name, help, label, of } of totals) {
    metrics.gauge(
      name,
      help,
      async () => {
        const figures = isShown() ? await read() : undefined
        return figures && of(figures)
      },
      label,
    )
  }
}

function timesOf(
  jobs: readonly JobRun[] | undefined,
  of: 'ranAt' | 'succeededAt' | 'failedAt',
): ReadonlyMap<string, number> | undefined {
  if (!jobs) return undefined
  return new Map(jobs.flatMap(job => (job[of] === null ? [] : [[job.name, Date.parse(job[of]) / 1000]])))
}

/** 0 without a beginning. */
function secondsBetween(from: string | null, to: string): number {
  return from === null ? 0 : Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000)
}
