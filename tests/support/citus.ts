import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { itemAt } from './elements.ts'
import type { FreshDatabase } from './postgres.ts'

type CitusNode = { groupId: number; host: string; port: number }

export type CitusDatabase = FreshDatabase & {
  /** The same database through each of the other nodes. */
  workerUrls: readonly string[]
}

/** A database on the coordinator of a Citus cluster, from the environment. Tests with a cluster run only where it is set. */
export const citusUrl = process.env.CITUS_URL

/** Makes an empty database on all nodes of the cluster of `url`, which a superuser opens without a password in between the nodes. */
export async function freshCitusDatabase(url: string): Promise<CitusDatabase> {
  const nodes = await onNode(url, async client => {
    const { rows } = await client.query<CitusNode>(
      'select groupid as "groupId", nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows
  })
  const name = `t_${randomBytes(8).toString('hex')}`
  for (const node of nodes) {
    await onNode(at(url, node), client => client.query(`create database ${name}`))
    await onNode(at(url, node, name), client => client.query('create extension citus'))
  }
  const [coordinator, ...workers] = nodes.map(node => ({ ...node, url: at(url, node, name) }))
  const { host, port, url: coordinatorUrl } = itemAt([coordinator!], 0)
  await onNode(coordinatorUrl, async client => {
    await client.query('select citus_set_coordinator_host($1, $2)', [host, port])
    for (const worker of workers)
      await client.query('select citus_add_node($1, $2)', [worker.host, worker.port])
  })
  return {
    url: coordinatorUrl,
    workerUrls: workers.map(worker => worker.url),
    async drop() {
      for (const node of nodes)
        await onNode(at(url, node), client => client.query(`drop database if exists ${name} with (force)`))
    },
  }
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
