import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '#platform/ports.ts'
import { defined } from '#tests/support/elements.ts'
import { dataFolder, runProgram, until } from '#tests/support/processes.ts'
import { requirePrograms } from './programs.ts'

const deploy = join(import.meta.dirname, '../../../deploy/cluster')
const host = '127.0.0.1'
const restMs = 1_000
/** PostgreSQL does not run as root, so root's tests run it as Debian's user. */
const asPostgres =
  process.geteuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []
const superuserPassword = 'superuser-password'
const password = 'password'

/** One PostgreSQL with its Patroni. */
export type DatabaseNode = {
  readonly name: string
  readonly port: number
  /** The process of Patroni and all processes of PostgreSQL, or those of PostgreSQL alone. */
  signal(name: NodeJS.Signals, which?: 'all' | 'postgres'): void
  /** Starts Patroni again after a kill. */
  start(): void
  isPrimary(): Promise<boolean>
  isSynchronousStandby(): Promise<boolean>
  output(): string
}

export type PatroniCluster = {
  /** The database of Patio through HAProxy, which leads to the primary. */
  readonly url: string
  readonly nodes: readonly [DatabaseNode, DatabaseNode]
  primary(): Promise<DatabaseNode>
  /** The database of Patio on one node, without HAProxy. */
  urlOf(node: DatabaseNode): string
  /** Resolves when one node is the primary and the other one its synchronous standby. */
  isWhole(): Promise<void>
  stop(): Promise<void>
}

/** Starts etcd, two nodes with the configuration of deploy/cluster, and HAProxy, all on this machine. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  requirePrograms({ etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy' })
  const folder = dataFolder()
  // the user of PostgreSQL enters it
  chmodSync(folder, 0o755)
  const etcd = await startEtcd(folder)
  const first = await makeNode(folder, 'postgres-1', etcd.endpoint)
  const second = await makeNode(folder, 'postgres-2', etcd.endpoint)
  const nodes = [first, second] as const
  first.start()
  await until('the first node is the primary', first.isPrimary)
  second.start()
  const port = await startHaproxy(folder, nodes)
  const urlAt = (atPort: number) => `postgres://patio:${password}@${host}:${atPort}/patio`

  async function isWhole(): Promise<void> {
    await until('one node is the primary and the other one its synchronous standby', async () => {
      const [primary, standby] = (await first.isPrimary()) ? nodes : [second, first]
      return (await primary.isPrimary()) && (await standby.isSynchronousStandby())
    })
  }
  await isWhole()
  await makeDatabase(port)
  return {
    url: urlAt(port),
    nodes,
    isWhole,
    urlOf: node => urlAt(node.port),
    async primary() {
      const isFirst = await first.isPrimary()
      return isFirst ? first : second
    },
    async stop() {
      // Patroni would start PostgreSQL again
      for (const node of nodes) node.signal('SIGKILL')
      await etcd.stop('SIGTERM')
    },
  }
}

async function startEtcd(folder: string) {
  const [clients, peers] = await Promise.all([1, 2].map(async () => `http://${host}:${await freePort(host)}`))
  const etcd = runProgram(
    [
      'etcd',
      `--data-dir=${join(folder, 'etcd')}`,
      '--name=etcd-1',
      `--listen-client-urls=${clients}`,
      `--advertise-client-urls=${clients}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=etcd-1=${peers}`,
      '--enable-v2',
    ],
    {},
  )
  await until('etcd answers', () => isOk(`${clients}/health`))
  return { endpoint: new URL(defined(clients)).host, stop: etcd.stop }
}

async function makeNode(
  folder: string,
  name: string,
  etcd: string,
): Promise<DatabaseNode & { restPort: number }> {
  const own = join(folder, name)
  const data = join(own, 'data')
  mkdirSync(own)
  const port = await freePort(host)
  const restPort = await freePort(host)
  const file = join(own, 'patroni.yml')
  writeFileSync(
    file,
    replaced(readFileSync(join(deploy, 'patroni.yml'), 'utf8'), [
      ['name: postgres-1', `name: ${name}`],
      ['10.0.0.11:8008', `${host}:${restPort}`],
      ['10.0.0.11:5432', `${host}:${port}`],
      ['[10.0.0.21:2379, 10.0.0.22:2379, 10.0.0.23:2379]', `['${etcd}']`],
      ['/var/lib/postgresql/patio', data],
      ['/var/run/postgresql', own],
    ]),
  )
  if (asPostgres.length > 0) spawnSync('chown', ['-R', 'postgres:postgres', own])
  let patroni: ReturnType<typeof runProgram> | undefined
  const isAt = (path: string) => isOk(`http://${host}:${restPort}${path}`)

  return {
    name,
    port,
    restPort,
    output: () => patroni?.output() ?? '',
    start() {
      patroni = runProgram([...asPostgres, 'patroni', file], { HOME: own })
    },
    signal(signalName, which = 'all') {
      if (which === 'all' && patroni) sendTo(patroni.pid, signalName)
      // a postmaster that is stopped or ended first makes no further process
      for (const pid of processesIn(data)) sendTo(pid, signalName)
    },
    isPrimary: () => isAt('/primary'),
    isSynchronousStandby: () => isAt('/sync'),
  }
}

async function startHaproxy(
  folder: string,
  nodes: readonly { name: string; port: number; restPort: number }[],
): Promise<number> {
  const port = await freePort(host)
  const addresses = ['10.0.0.11:5432', '10.0.0.12:5432']
  const file = join(folder, 'postgres.cfg')
  writeFileSync(
    file,
    replaced(readFileSync(join(deploy, 'postgres.cfg'), 'utf8'), [
      ['127.0.0.1:5000', `${host}:${port}`],
      ...addresses.map((address, index): [string, string] => {
        const node = defined(nodes[index])
        return [address, `${host}:${node.port} port ${node.restPort}`]
      }),
    ]),
  )
  runProgram(['haproxy', '-q', '-f', file], {})
  return port
}

/** The role and the database of Patio, as in docs/guides/cluster.md. */
async function makeDatabase(port: number): Promise<void> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${superuserPassword}@${host}:${port}/postgres`,
  })
  await until('HAProxy leads to the primary', async () => isOkTcp(port))
  await client.connect()
  await client.query(`create role patio login password '${password}'`)
  await client.query('grant pg_monitor to patio')
  await client.query('create database patio owner patio')
  await client.end()
}

async function isOkTcp(port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${superuserPassword}@${host}:${port}/postgres`,
  })
  client.on('error', () => {})
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isConnected
}

async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(restMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The processes of a PostgreSQL, which work in its data folder, the postmaster first. */
function processesIn(data: string): number[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === data
      } catch {
        // it has just ended
        return false
      }
    })
    .map(Number)
  return all.sort((a, b) => a - b)
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended
  }
}

function replaced(text: string, replacements: [from: string, to: string][]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the configuration does not contain ${from}`)
    return result.replaceAll(from, to)
  }, text)
}
