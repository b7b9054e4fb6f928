import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '#platform/data/migrate.ts'
import { openSignal } from '#platform/events/signal.ts'
import { openLog } from '#platform/log.ts'
import { distribute } from '#server/distribution/distribute.sql.ts'
import { citusUrl, freshCitusDatabase, onNode } from '#tests/support/citus.ts'
import { untilRelayed, writeBacklog } from '../backlog.ts'
import { type BenchEnvironment, concurrency } from '../environment.ts'
import { makeOrganization, tokensOf } from '../people.ts'
import { atEnd, start, temporaryFolder } from '../processes.ts'
import { type Figure, say } from '../report.ts'
import type { CliOptions } from '../request-template.ts'
import { inOrder, inTurns, ratios, rawLine } from '../rounds.ts'
import { median, quotients, short, spread } from '../statistics.ts'
import { assets, newAsset, sideOf } from './requests.ts'

const shardCount = 8
const people = 16
const idleSeconds = 20
/** Assets, and rows of a backlog, for each second of a round. */
const assetsPerSecond = 400
const rowsPerSecond = 2_000

/** An API and a worker process on a database of the cluster. */
type Side = {
  name: string
  /** The database, through each node that has a part of it. */
  nodeUrls: string[]
  sql: pg.Pool
  api: { pid: number; port: number }
  read: CliOptions
  create: CliOptions
  signal: { changed(): void }
}

/**
 * On Citus, beside plain PostgreSQL: a database without Citus on the coordinator of the same cluster, with the same version and
 * settings. All nodes share the machine, so the figures say what Citus costs and not what more machines gain.
 */
export async function cluster(environment: BenchEnvironment): Promise<Figure[]> {
  if (citusUrl === undefined) {
    say('cluster was not run: CITUS_URL names no database on the coordinator of a Citus cluster.')
    return []
  }
  const onCitus = await openSide(environment, 'Citus', await distributedDatabase(citusUrl))
  const plain = await openSide(environment, 'plain', [await plainDatabase(citusUrl)])
  const sides = [onCitus, plain]
  const settled = async () => {
    for (const { sql } of sides) await untilRelayed(sql)
  }
  const compare = async (figure: string, kind: 'read' | 'create'): Promise<Figure> => {
    const [ours = [], theirs = []] = await inTurns(
      { ...environment, settled },
      sides.map(side => sideOf(environment, side.name, side.api, side[kind], 1_000_000)),
    )
    return {
      name: figure,
      value: spread(ratios(ours, theirs, one => one.perSecond)),
      raw: [rawLine('Citus', ours), rawLine('plain', theirs)],
    }
  }
  return [
    await compare('cluster-read', 'read'),
    await compare('cluster-create', 'create'),
    await relay(environment, onCitus, plain),
    await idle(environment, onCitus, plain),
  ]
}

async function relay({ size }: BenchEnvironment, onCitus: Side, plain: Side): Promise<Figure> {
  const count = Math.round(size.seconds * rowsPerSecond)
  const drains = [onCitus, plain].map(side => ({ ...side, perSecond: [] as number[] }))
  for (let round = 0; round <= size.rounds; round++) {
    for (const { sql, signal, perSecond } of inOrder(drains, round)) {
      await writeBacklog(sql, count)
      const startedAt = performance.now()
      signal.changed()
      await untilRelayed(sql)
      // the first round warms up
      if (round > 0) perSecond.push(count / ((performance.now() - startedAt) / 1000))
    }
  }
  const [ours = [], theirs = []] = drains.map(({ perSecond }) => perSecond)
  return {
    name: 'cluster-relay',
    value: spread(quotients(ours, theirs)),
    raw: [`rows/s: Citus ${short(median(ours))}, plain ${short(median(theirs))}`],
  }
}

/** Counts do not depend on the machine. Those of Citus include its own work, such as the search for deadlocks. */
async function idle({ size }: BenchEnvironment, onCitus: Side, plain: Side): Promise<Figure> {
  const ours: number[] = []
  const theirs: number[] = []
  // PostgreSQL publishes the counts of a connection that has become idle after ten seconds
  await sleep(12_000)
  for (let round = 0; round < Math.min(3, size.rounds); round++) {
    const before = await Promise.all([onCitus, plain].map(transactions))
    await sleep(idleSeconds * 1000)
    const after = await Promise.all([onCitus, plain].map(transactions))
    const [citusCount = Number.NaN, plainCount = Number.NaN] = after.map(
      (count, at) => (count - (before[at] ?? Number.NaN)) / idleSeconds,
    )
    ours.push(citusCount)
    theirs.push(plainCount)
  }
  return {
    name: 'cluster-idle',
    value: spread(quotients(ours, theirs)),
    raw: [`transactions/s: Citus ${short(median(ours))} on all nodes, plain ${short(median(theirs))}`],
  }
}

/** The transactions so far in the database on all its nodes. */
async function transactions({ nodeUrls }: Side): Promise<number> {
  let sum = 0
  for (const url of nodeUrls) {
    const { rows } = await onNode(url, client =>
      client.query<{ count: string }>(
        `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
      ),
    )
    sum += Number(rows[0]?.count)
  }
  return sum
}

async function openSide(environment: BenchEnvironment, name: string, nodeUrls: string[]): Promise<Side> {
  const [url = ''] = nodeUrls
  const env = {
    ...environment.env,
    DATABASE_URL: url,
    DATA_DIR: temporaryFolder(),
    CONNECTION_TIMEOUT_MS: '20000',
  }
  const worker = start('server/main.mjs', ['worker'], env)
  const api = start('server/main.mjs', ['api'], env)
  const [{ address = '' }] = await Promise.all([api.ready, worker.ready])
  const at = { pid: api.pid, port: Number(new URL(address).port) }
  const sql = new pg.Pool({ connectionString: url, max: 2 })
  sql.on('error', () => {})
  atEnd(() => sql.end())
  const signal = await openSignal({ url, log: openLog('warn', 'bench') })
  atEnd(() => signal.close())
  const organization = await makeOrganization(sql, 'Cluster', people)
  const tokens = await tokensOf(organization)
  const create: CliOptions = { method: 'POST', path: assets, body: newAsset, status: 201, tokens }
  const most = Math.round(environment.size.seconds * assetsPerSecond)
  await environment.load({ ...create, port: at.port, concurrency, from: 0, seconds: 600, most })
  await untilRelayed(sql)
  await sql.query('vacuum analyze')
  const { rows } = await sql.query<{ id: string }>(
    'select id from asset where organization_id = $1 order by id',
    [organization.id],
  )
  const ids = rows.map(({ id }) => id)
  // the owner may read the drafts of all
  const read: CliOptions = {
    method: 'GET',
    path: `${assets}/{id}`,
    ids,
    status: 200,
    tokens: tokens.slice(0, 1),
  }
  return { name, nodeUrls, sql, api: at, read, create, signal }
}

/** The addresses of a distributed database, that of the coordinator first. */
async function distributedDatabase(url: string): Promise<string[]> {
  const database = await freshCitusDatabase(url)
  atEnd(() => database.drop())
  await migrate(database.url)
  await distribute(database.url, { shardCount, print: () => {} })
  return [database.url, ...database.workerUrls]
}

async function plainDatabase(url: string): Promise<string> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await onNode(url, client => client.query(`create database ${name}`))
  atEnd(() => onNode(url, client => client.query(`drop database ${name} with (force)`)).then(() => {}))
  const database = new URL(url)
  database.pathname = `/${name}`
  await migrate(database.href)
  return database.href
}
