import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { defined, firstOf } from './elements.ts'

type CitusNode = { host: string; port: number }

export type CitusDatabase = {
  url: string
  /** The same database through each of the other nodes. */
  workerUrls: readonly string[]
  /** Drops the database on all nodes, ending all its connections. */
  drop(): Promise<void>
}

/** A database on the coordinator of a Citus cluster, from the environment. Tests with a cluster run only where it is set. */
export const citusUrl = process.env.CITUS_URL
/** True in `npm run test:citus`, whose databases are all distributed. */
export const areDatabasesOnCitus = citusUrl !== undefined && process.env.TEST_DATABASE_URL === citusUrl

/** The nodes of the cluster that has the database of `url`, the coordinator first. None: the database has no Citus. */
async function nodesOf(url: string): Promise<CitusNode[]> {
  return onNode(url, async client => {
    const { rows: tables } = await client.query(
      `select to_regclass('pg_dist_node') is not null as "hasCitus"`,
    )
    if (!firstOf(tables as { hasCitus: boolean }[]).hasCitus) return []
    const { rows } = await client.query<CitusNode>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows
  })
}

/** The servers of the cluster that has the database of `url`, the coordinator first; that server alone if it has no Citus. */
export async function serversOf(url: string): Promise<[string, ...string[]]> {
  const [coordinator, ...workers] = await nodesOf(url)
  if (!coordinator) return [url]
  return [at(url, coordinator), ...workers.map(node => at(url, node))]
}

/** Makes an empty database on all nodes of the cluster of `url`, which a superuser opens without a password in between the nodes. */
export async function freshCitusDatabase(url: string): Promise<CitusDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  const [coordinatorUrl, ...workerUrls] = await createCitusDatabase(url, name)
  return {
    url: defined(coordinatorUrl),
    workerUrls,
    async drop() {
      // a killed process or node leaves prepared transactions, and a database that has one cannot be dropped
      for (const node of [defined(coordinatorUrl), ...workerUrls])
        await onNode(node, client => client.query('select recover_prepared_transactions()'))
      for (const server of await serversOf(url))
        await onNode(server, client => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Makes an empty database with this name on all nodes, and returns its addresses, that of the coordinator first. */
export async function createCitusDatabase(url: string, name: string): Promise<string[]> {
  const nodes = await nodesOf(url)
  for (const node of nodes) {
    await onNode(at(url, node), client => client.query(`create database ${name}`))
    await onNode(at(url, node, name), client => client.query('create extension citus'))
  }
  const [{ host, port }, ...workers] = nodes as [CitusNode, ...CitusNode[]]
  await onNode(at(url, { host, port }, name), async client => {
    await client.query('select citus_set_coordinator_host($1, $2)', [host, port])
    for (const worker of workers)
      await client.query('select citus_add_node($1, $2)', [worker.host, worker.port])
  })
  return nodes.map(node => at(url, node, name))
}

function at(url: string, { host, port }: CitusNode, database?: string): string {
  const changed = new URL(url)
  changed.hostname = host
  changed.port = String(port)
  if (database !== undefined) changed.pathname = `/${database}`
  return changed.href
}

/** Runs work on one connection. */
export async function onNode<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
