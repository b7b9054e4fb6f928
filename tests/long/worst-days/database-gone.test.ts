import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/data/embedded.ts'
import { freePort } from '#platform/ports.ts'
import { dataFolder, endAll, postmasterOf, removeFolders, usedDataFolder } from '#tests/support/processes.ts'
import { lasts, openWorstDay, type WorstDay } from '#tests/support/worst-day.ts'

const minuteMs = 60_000

afterAll(() => {
  endAll()
  removeFolders()
})

/** Everything gets 503 within 5 s and the process stays alive; then everything is served again. */
async function goesAndReturns(day: WorstDay, title: string, gone: () => unknown, back: () => unknown) {
  day.watch.begin('gone')
  await gone()
  await lasts(minuteMs)
  expect(day.watch.failures('gone', 'healthz')).toEqual([])
  for (const kind of ['read', 'write'] as const) {
    expect(day.watch.statuses('gone', kind)).toContain(503)
    expect(day.watch.failures('gone', kind).filter(({ status }) => status !== 503)).toEqual([])
  }
  day.watch.begin('back')
  await back()
  await day.isBack()
  await day.verify(title)
}

test('the embedded PostgreSQL is stopped for a minute', async () => {
  const dataDir = await usedDataFolder()
  const day = await openWorstDay({ dataDir })
  const postmaster = postmasterOf(dataDir)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [postmaster, ...childrenOf(postmaster)]) process.kill(pid, name)
  }
  await goesAndReturns(
    day,
    'PostgreSQL does not answer',
    () => signal('SIGSTOP'),
    () => signal('SIGCONT'),
  )
  expect((await day.patio.stop()).code).toBe(0)
})

test('the PostgreSQL of DATABASE_URL is down for a minute', async () => {
  const port = await freePort('127.0.0.1')
  const cluster = dataFolder()
  const open = () => startEmbedded({ dataDir: cluster, port, log: () => {} })
  let server = await open()
  const env = {
    DATABASE_URL: server.url,
    DEMO: '1',
    SIGN_IN_SECRET: 'a secret of this test that is long enough',
    SESSION_KEYS: 't1:a key of this test that is long enough',
  }
  const day = await openWorstDay({ dataDir: dataFolder(), env, databaseUrl: server.url })
  await goesAndReturns(
    day,
    'PostgreSQL is down',
    () => server.stop(),
    async () => {
      server = await open()
    },
  )
  expect((await day.patio.stop()).code).toBe(0)
  await server.stop()
})

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap(name => {
    try {
      const parent = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]
      return Number(parent) === pid ? [Number(name)] : []
    } catch {
      // not a process, or one that has just ended
      return []
    }
  })
}
