import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '#platform/data/migrate.ts'
import { distribute } from '#server/distribution/distribute.sql.ts'
import { type CitusDatabase, citusUrl, freshCitusDatabase, onNode } from '#tests/support/citus.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import { endAll, type Patio, removeFolders, start, until } from '#tests/support/processes.ts'
import { type ClusterWorld, type MixedLoad, makeClusterWorld, openMixedLoad } from './load.ts'

// One api and one worker process on Citus. The nodes run on this machine, because their processes are killed and started again.
const kills = Number(process.env.CITUS_KILLS ?? 2)
const downMs = 5_000

describe.skipIf(citusUrl === undefined)('the mixed load on Citus', () => {
  let database: CitusDatabase
  let world: ClusterWorld
  let api: Patio
  let worker: Patio
  let load: MixedLoad
  beforeAll(async () => {
    database = await freshCitusDatabase(defined(citusUrl))
    await migrate(database.url)
    await distribute(database.url, { shardCount: 8, print: () => {} })
    // a node that starts again should not repeat the distribution
    for (const url of [database.url, ...database.workerUrls])
      await onNode(url, client => client.query('checkpoint'))
    world = await makeClusterWorld(database.url)
    api = await start('api', world.env)
    worker = await start('worker', world.env)
    load = await openMixedLoad(world, api.url)
  }, 10 * 60_000)
  beforeEach(({ onTestFailed }) => {
    onTestFailed(
      () => void process.stderr.write(`${api?.output().slice(-30_000)}\n${worker?.output().slice(-30_000)}`),
    )
  })
  afterAll(async () => {
    await Promise.all([api?.stop(), worker?.stop()])
    await world?.double.close()
    endAll()
    await database?.drop()
    removeFolders()
  })

  test(
    'kill -9 of the node that has the organization, which starts again',
    async () => {
      for (let n = 1; n <= kills; n++) {
        const unknown = load.ledger.unknown()
        const node = await nodeOf(database.url, world.organizationId)
        const longestMs = await load.timeWithoutWrites(async () => {
          node.kill()
          await sleep(downMs)
          await node.start()
        })
        process.stdout.write(
          `kill ${n} of the node, which was away for ${node.awayMs()} ms: then at most ${longestMs} ms without writes, ${load.ledger.unknown() - unknown} writes without a reply of success\n`,
        )
        await load.showsEvents()
      }
    },
    10 * 60_000,
  )

  test(
    'no acknowledged write was lost, none happened twice, and every invoice was charged at most once',
    async () => {
      await load.verify(database.url)
      expect((await api.stop()).code).toBe(0)
      expect((await worker.stop()).code).toBe(0)
    },
    5 * 60_000,
  )
})

/** The node with the rows of an organization. */
async function nodeOf(coordinatorUrl: string, organizationId: string) {
  const [{ host, port }] = (await onNode(coordinatorUrl, async client => {
    const { rows } = await client.query(
      `select n.nodename as host, n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
       where p.shardid = get_shard_id_for_distribution_column('asset', $1::text)`,
      [organizationId],
    )
    return rows
  })) as [{ host: string; port: number }]
  const url = new URL(coordinatorUrl)
  url.hostname = host
  url.port = String(port)
  const file = await onNode(url.href, async client => {
    const { rows } = await client.query(`select pg_read_file('postmaster.pid') as file`)
    return firstOf(rows as { file: string }[]).file
  })
  const pid = Number.parseInt(file, 10)
  const program = readlinkSync(`/proc/${pid}/exe`)
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -1)
  const { uid, gid } = statSync(`/proc/${pid}`)
  const env = Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map(setting => setting.split(/=(.*)/s, 2)),
  )
  let [killedAt, startedAt] = [0, 0]
  return {
    awayMs: () => Math.round(startedAt - killedAt),
    kill() {
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      killedAt = performance.now()
      for (const each of [pid, ...children.trim().split(/\s+/).map(Number)]) {
        try {
          process.kill(each, 'SIGKILL')
        } catch (error) {
          // it ended in the meantime
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
    },
    async start() {
      spawn(program, args, { uid, gid, env, cwd: '/', detached: true, stdio: 'ignore' }).unref()
      await until('the node accepts connections', () =>
        onNode(url.href, client => client.query('select')).then(
          () => true,
          () => false,
        ),
      )
      startedAt = performance.now()
    },
  }
}
