import { availableParallelism } from 'node:os'
import pg from 'pg'
import { openDatabase } from '#platform/data/database.ts'
import { startEmbedded } from '#platform/data/embedded.ts'
import { migrate } from '#platform/data/migrate.ts'
import { untilRelayed } from './backlog.ts'
import type { Load, LoadResult } from './load.ts'
import { type BenchOrganization, makeOrganization, secrets } from './people.ts'
import { atEnd, type Child, start, temporaryFolder } from './processes.ts'
import type { RecordKind } from './record.ts'
import type { Recording } from './recording.ts'
import { seedAssets } from './seed.ts'

/** The length and size of a run. */
export type Size = {
  /** Rounds of each pair, seconds of each side in a round, and seconds of warm-up. */
  rounds: number
  seconds: number
  warmUpSeconds: number
  /** Assets of the large organization. */
  large: number
  receivers: number
  /** How often a start is timed. */
  starts: number
  /** How often two kinds of a request are timed in turn. */
  pairs: number
  /** Files beside the database in the backup that is restored. */
  backupGiB: number
}
export const fullSize: Size = {
  rounds: 11,
  seconds: 2.5,
  warmUpSeconds: 4,
  large: 200_000,
  receivers: 2_000,
  starts: 5,
  pairs: 2_000,
  backupGiB: 5,
}
export const quickSize: Size = {
  rounds: 3,
  seconds: 1,
  warmUpSeconds: 1,
  large: 20_000,
  receivers: 500,
  starts: 2,
  pairs: 100,
  backupGiB: 0.5,
}

export const poolSize = 10
export const concurrency = 32
export const smallSize = 1_000

/** The environment of a run: PostgreSQL, the product's processes, the bare program and the load generator. */
export type BenchEnvironment = {
  readonly size: Size
  readonly sql: pg.Pool
  /** The API process of the product; a worker runs as well. */
  readonly api: Child & { readonly port: number }
  /** The environment variables of a process of the product. */
  readonly env: Record<string, string> & { readonly DATABASE_URL: string; readonly DATA_DIR: string }
  /** A bare program with these recordings; another one for each name. */
  bare(recordings: Recording[], name?: string): Promise<{ pid: number; port: number }>
  load(load: Load): Promise<LoadResult>
  record(kinds: RecordKind[]): Promise<Recording[]>
  /** The organization of that name, created on first use with that many assets and people. */
  organization(name: string, assets: number, people?: number): Promise<FilledDatabase>
  /** Resolves when the worker is idle. */
  settled(): Promise<void>
  settings(): Promise<string>
}
/** With the assets that everybody in it may read. */
export type FilledDatabase = BenchOrganization & { assetIds: string[] }

const peopleOfEach = 16

/** Starts PostgreSQL with default settings, including fsync, and the product's processes. */
export async function openBenchEnvironment(size: Size): Promise<BenchEnvironment> {
  const dataDir = temporaryFolder()
  const postgres = await startEmbedded({ dataDir, log: () => {} })
  atEnd(() => postgres.stop())
  await migrate(postgres.url)
  const sql = new pg.Pool({ connectionString: postgres.url, max: 2 })
  sql.on('error', () => {})
  atEnd(() => sql.end())

  const env = {
    ...secrets,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: '0',
    POOL_SIZE: String(poolSize),
    CEILING_FACTOR: '0',
    ERROR_REPORTS_PER_HOUR: '0',
    LOG_LEVEL: 'warn',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
  }
  const worker = start('server/main.mjs', ['worker'], env)
  const api = start('server/main.mjs', ['api'], env)
  const [{ address = '' }] = await Promise.all([api.ready, worker.ready])
  const load = start('bench/load.ts', [], {})
  const bares = new Map<string, { child: Child; port: Promise<number> }>()
  const organizations = new Map<string, Promise<FilledDatabase>>()

  return {
    size,
    sql,
    env,
    api: { ...api, port: Number(new URL(address).port) },
    load: given => load.ask<LoadResult>('run', given),
    async bare(recordings, name = '') {
      let one = bares.get(name)
      if (!one) {
        const child = start('bench/bare.ts', [], env)
        one = { child, port: child.ask<number>('listen') }
        bares.set(name, one)
      }
      await one.child.ask('learn', recordings)
      return { pid: one.child.pid, port: await one.port }
    },
    async record(kinds) {
      const recorder = start('bench/record.ts', [], env)
      const recordings = await recorder.ask<Recording[]>('record', kinds)
      await recorder.stop()
      return recordings
    },
    organization(name, assets, people = peopleOfEach) {
      const there = organizations.get(name)
      if (there) return there
      const made = makeOrganization(sql, name, people).then(organization =>
        fill(postgres.url, organization, assets),
      )
      organizations.set(name, made)
      return made
    },
    settled: () => untilRelayed(sql),
    async settings() {
      const { rows } = await sql.query(
        `select string_agg(name || ' ' || setting, ', ' order by name) as shown, max(split_part(version(), ' ', 2)) as version
         from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`,
      )
      return (
        `PostgreSQL ${rows[0].version} with ${rows[0].shown}; ${poolSize} connections, ` +
        `${concurrency} requests at once, ${availableParallelism()} cores shared by database, product, limit and load`
      )
    },
  }
}

async function fill(url: string, organization: BenchOrganization, assets: number): Promise<FilledDatabase> {
  const hour = 3_600_000
  const database = await openDatabase({
    url,
    poolSize: 3,
    connectTimeoutMs: 10_000,
    applicationName: 'patio bench',
    lockTimeoutMs: hour,
    statementTimeoutMs: hour,
    idleInTransactionTimeoutMs: hour,
  })
  try {
    await seedAssets(
      database,
      organization.id,
      organization.people.map(({ id }) => id),
      assets,
    )
    // the database would do this later, during the measurement
    await database.pool.query('vacuum analyze')
    const { rows } = await database.pool.query(
      `select id from asset where organization_id = $1 and visibility in ('ORGANIZATION', 'MARKETPLACE')
         and status <> 'ARCHIVED' order by id`,
      [organization.id],
    )
    return { ...organization, assetIds: rows.map(row => row.id as string) }
  } finally {
    await database.close()
  }
}
