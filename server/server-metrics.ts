import { statfs } from 'node:fs/promises'
import type pg from 'pg'
import type { ServerTotals } from './area.ts'
import type { Database } from './platform/data/database.ts'
import type { Signal } from './platform/events/signal.ts'
import { type JobRun, listJobRuns, secondsSinceSuccess } from './platform/jobs/job-run.ts'
import { readQueueState } from './platform/jobs/mail-queue.sql.ts'
import type { Log } from './platform/log.ts'
import { type Metrics, readSometimes, type Samples } from './platform/metrics.ts'
import { readPlatformHealth } from './platform/server-health.sql.ts'
import type { Services } from './platform/services.ts'

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
type PoolStates = { pool: PoolState; pools(): readonly PoolState[] }
type DiskFolders = NonNullable<Services['diskFolders']>

type ProcessParts = { database: PoolStates; signal: Pick<Signal, 'isConnected'>; folders: DiskFolders }

/** Gauges of one process: its database connections, its signals, and the disks of its machine. */
export function registerProcessMetrics(metrics: Metrics, { database, signal, folders }: ProcessParts): void {
  const ofPools = (count: (pool: PoolState) => number) =>
    database.pools().reduce((sum, pool) => sum + count(pool), 0)
  metrics.gauge(
    'patio_database_connections',
    'Connections of this process, in use or idle',
    () =>
      new Map([
        ['in_use', ofPools(pool => pool.totalCount - pool.idleCount)],
        ['idle', ofPools(pool => pool.idleCount)],
      ]),
    'state',
  )
  metrics.gauge(
    'patio_database_max_connections',
    'The most connections that this process opens: the size of its pool, on Citus of its pools',
    () => ofPools(pool => pool.options.max),
  )
  metrics.gauge('patio_database_waiting', 'Work that waits for one of these connections', () =>
    ofPools(pool => pool.waitingCount),
  )
  const isUp = readSometimes(() => database.pool.query('select 1'), {
    everyMs: processMs,
    timeoutMs: scrapeTimeoutMs,
  })
  metrics.gauge(
    'patio_database_up',
    '1 if this process gets an answer from the database, else 0',
    async () => ((await isUp()) ? 1 : 0),
  )
  metrics.gauge(
    'patio_signals_up',
    '1 if the database or, with SIGNALS_URL, NATS carries signals to this process; else 0, and it only polls',
    () => (signal.isConnected() ? 1 : 0),
  )
  const readDisks = readSometimes(() => Promise.all(folders.map(diskOf)), {
    everyMs: processMs,
    timeoutMs: scrapeTimeoutMs,
  })
  async function bytes(blocks: 'bavail' | 'blocks'): Promise<Samples> {
    const disks = await readDisks()
    return disks && new Map(disks.map(({ label, disk }) => [label, disk.bsize * disk[blocks]]))
  }
  metrics.gauge(
    'patio_disk_free_bytes',
    'Free bytes of the disk with DATA_DIR (data) or the file store (files)',
    () => bytes('bavail'),
    'folder',
  )
  metrics.gauge('patio_disk_size_bytes', 'Size of that disk', () => bytes('blocks'), 'folder')
}

async function diskOf({ folder, path }: DiskFolders[number]) {
  return { label: folder.toLowerCase(), disk: await statfs(path) }
}

const outbox: ServerTotals<Awaited<ReturnType<typeof readPlatformHealth>>> = {
  read: readPlatformHealth,
  gauges: [
    {
      name: 'patio_outbox_rows',
      help: 'Outbox rows that the relay has not processed; at most 10,000 are counted',
      of: ({ relay }) => relay.pending,
    },
    {
      name: 'patio_outbox_oldest_seconds',
      help: 'Age of the oldest of these rows: how far events are behind',
      of: ({ relay }) => relay.oldestSeconds,
    },
    {
      name: 'patio_outbox_quarantined_rows',
      help: 'Outbox rows that the relay could not process',
      of: ({ relay }) => relay.quarantined,
    },
    {
      name: 'patio_relay_leases',
      help: 'Leases of the relay: held by a worker, or free, so that nobody numbers the events of some organizations',
      label: 'state',
      of: ({ relay }) =>
        new Map([
          ['held', relay.leases - relay.freeLeases],
          ['free', relay.freeLeases],
        ]),
    },
    {
      name: 'patio_database_size_bytes',
      help: 'Size of the database',
      of: ({ state }) => state.bytes,
    },
  ],
}

const mailQueue: ServerTotals<Awaited<ReturnType<typeof readQueueState>>> = {
  read: readQueueState,
  gauges: [
    {
      name: 'patio_mail_queue_mails',
      help: 'Mails that wait: for their first attempt, or for a retry',
      label: 'state',
      of: ({ queued, failing }) =>
        new Map([
          ['queued', queued - failing],
          ['retrying', failing],
        ]),
    },
    {
      name: 'patio_mail_queue_oldest_seconds',
      help: 'Age of the oldest of these mails',
      of: ({ oldestSeconds }) => oldestSeconds,
    },
    {
      name: 'patio_mail_refused',
      help: 'Mails that were given up and are still listed for operators',
      of: ({ refused }) => refused,
    },
  ],
}

const jobRuns: ServerTotals<JobRun[]> = {
  read: listJobRuns,
  gauges: [
    {
      name: 'patio_job_last_run_timestamp_seconds',
      help: 'When a job last ran, in any worker',
      label: 'job_name',
      of: jobs => timesOf(jobs, 'ranAt'),
    },
    {
      name: 'patio_job_last_success_timestamp_seconds',
      help: 'When a job last succeeded',
      label: 'job_name',
      of: jobs => timesOf(jobs, 'succeededAt'),
    },
    {
      name: 'patio_job_last_failure_timestamp_seconds',
      help: 'When a job last failed',
      label: 'job_name',
      of: jobs => timesOf(jobs, 'failedAt'),
    },
  ],
}

const backups: ServerTotals<number | undefined> = {
  read: database => secondsSinceSuccess(database, backupJob),
  gauges: [
    {
      name: 'patio_backup_age_seconds',
      help: 'Seconds since the last backup that succeeded; missing if this server never made one',
      of: seconds => seconds,
    },
  ],
}

const totalsOfPlatform: readonly ServerTotals[] = [outbox, mailQueue, jobRuns, backups]

/** The figures of each reading. One that failed has none. */
type ReadFigures = ReadonlyMap<ServerTotals, unknown>

/** Reads the totals of the server, with one connection at a time, because a worker has few. */
export async function readServerTotals(
  database: Pick<Database, 'crossTenant'>,
  log: Pick<Log, 'warn'>,
  totals: readonly ServerTotals[],
): Promise<ReadFigures> {
  const figures = new Map<ServerTotals, unknown>()
  for (const each of totals) {
    try {
      figures.set(each, await each.read(database))
    } catch (error) {
      log.warn({ err: error }, 'a part of the metrics could not be read')
    }
  }
  return figures
}

/**
 * Registers the gauges of the state that all processes share. Only the worker that holds the first lease of the relay shows them, so
 * that the statements run in one process: their absence means that no worker does.
 */
export function registerServerTotals(
  metrics: Metrics,
  totalsOfAreas: readonly ServerTotals[],
  readTotals: (totals: readonly ServerTotals[]) => Promise<ReadFigures>,
  isShown: () => boolean,
): void {
  const totals = [...totalsOfPlatform, ...totalsOfAreas]
  const read = readSometimes(() => readTotals(totals), { everyMs: totalsMs, timeoutMs: scrapeTimeoutMs })
  for (const each of totals) {
    for (const { name, help, label, of } of each.gauges) {
      metrics.gauge(
        name,
        help,
        async () => {
          const figures = isShown() ? await read() : undefined
          return figures?.has(each) ? of(figures.get(each)) : undefined
        },
        label,
      )
    }
  }
}

function timesOf(
  jobs: readonly JobRun[],
  of: 'ranAt' | 'succeededAt' | 'failedAt',
): ReadonlyMap<string, number> {
  return new Map(jobs.flatMap(job => (job[of] === null ? [] : [[job.name, Date.parse(job[of]) / 1000]])))
}
