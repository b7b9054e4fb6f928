import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '#platform/data/embedded.ts'
import { freePort } from '#platform/ports.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { tokensOf } from '../people.ts'
import { start, temporaryFolder } from '../processes.ts'
import type { Figure } from '../report.ts'
import { median, quotients, short, spread } from '../statistics.ts'
import { newAsset, sideOf } from './requests.ts'

/** Resident memory of one API process: after its start, and the maximum under load. */
export async function memory(environment: BenchEnvironment): Promise<Figure[]> {
  const organization = await environment.organization('busy', 10_000)
  const idle: number[] = []
  const loaded: number[] = []
  let bareMiB = 0
  for (let turn = 0; turn < Math.min(3, environment.size.rounds); turn++) {
    const api = start('server/main.mjs', ['api'], environment.env)
    const { address = '' } = await api.ready
    await sleep(3_000)
    idle.push(residentMiB(api.pid))
    const at = { pid: api.pid, port: Number(new URL(address).port) }
    const tokens = await tokensOf(organization)
    const { assetIds: ids } = organization
    const reading = { method: 'GET', path: '/api/studio/assets/{id}', ids, tokens, status: 200 } as const
    const creating = {
      method: 'POST',
      path: '/api/studio/assets',
      body: newAsset,
      tokens,
      status: 201,
    } as const
    let most = 0
    const look = setInterval(() => (most = Math.max(most, residentMiB(api.pid))), 100)
    await sideOf(environment, 'read', at, reading, 0).run(environment.size.seconds * 2)
    await sideOf(environment, 'create', at, creating, 80_000_000 + turn * 1_000_000).run(
      environment.size.seconds * 2,
    )
    clearInterval(look)
    loaded.push(most)
    await api.stop()
    const bare = start('bench/bare.ts', [], environment.env)
    await bare.ask('listen')
    await sleep(1_000)
    bareMiB = residentMiB(bare.pid)
    await bare.stop()
  }
  return [
    {
      name: 'memory-idle',
      value: spread(idle.map(mib => mib / bounds.idleMiB)),
      raw: [`idle ${short(median(idle))} MiB; the bare program ${short(bareMiB)} MiB`],
    },
    {
      name: 'memory-loaded',
      value: spread(quotients(loaded, idle)),
      raw: [`at the most ${short(median(loaded))} MiB while reading and creating`],
    },
  ]
}

export function residentMiB(pid: number): number {
  if (process.platform === 'linux') {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  }
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024
}

/** Seconds from starting the whole product until it is ready. */
export async function startUp(environment: BenchEnvironment): Promise<Figure[]> {
  const first: number[] = []
  const later: number[] = []
  const bare: number[] = []
  for (let turn = 0; turn < environment.size.starts; turn++) {
    const dataDir = temporaryFolder()
    first.push(await secondsToReady(dataDir))
    later.push(await secondsToReady(dataDir))
    bare.push(await bareSecondsToReady(dataDir))
  }
  const seconds = (values: number[]) => `${short(median(values))} s`
  return [
    {
      name: 'start',
      value: spread(later.map(one => one / bounds.startSeconds)),
      raw: [`product ${seconds(later)}`],
    },
    {
      name: 'start-bare',
      value: spread(quotients(later, bare)),
      raw: [`product ${seconds(later)}, PostgreSQL and bare program ${seconds(bare)}`],
    },
    {
      name: 'start-first',
      value: spread(first.map(one => one / bounds.startSeconds)),
      raw: [`product ${seconds(first)}`],
    },
  ]
}

/** The processes of `npm start`, with default settings. */
async function secondsToReady(dataDir: string): Promise<number> {
  const port = await freePort('127.0.0.1')
  const startedAt = performance.now()
  const product = start('server/main.mjs', ['up'], { DATA_DIR: dataDir, PORT: String(port) }, 'nothing')
  const seconds = await untilReady(port, startedAt)
  await product.stop()
  return seconds
}

async function bareSecondsToReady(dataDir: string): Promise<number> {
  const startedAt = performance.now()
  const postgres = await startEmbedded({ dataDir, log: () => {} })
  const bare = start('bench/bare.ts', [], { DATABASE_URL: postgres.url, POOL_SIZE: '10' })
  try {
    return await untilReady(await bare.ask<number>('listen'), startedAt)
  } finally {
    await bare.stop()
    await postgres.stop()
  }
}

/** Seconds until the product at that port is ready. */
export async function untilReady(port: number, startedAt: number): Promise<number> {
  for (let tries = 0; tries < 6_000; tries++) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      answer => answer.status,
      () => 0,
    )
    if (status === 200) return (performance.now() - startedAt) / 1000
    await sleep(10)
  }
  throw new Error('the product did not become ready within a minute')
}
