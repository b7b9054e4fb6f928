import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { type Database, openDatabase } from '../data/database.ts'
import { type Job, untilIdle } from './job.ts'
import { listJobRuns } from './job-run.ts'
import { runJobs } from './run-jobs.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = await openDatabase({
    url: fresh.url,
    poolSize: 3,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 5_000,
    lockTimeoutMs: 5_000,
    idleInTransactionTimeoutMs: 5_000,
    applicationName: 'test',
  })
})
afterAll(async () => {
  await database?.close()
  await drop?.()
})

type Counted = { name: string; isFailure: boolean }
function start(jobs: Job[], counted: Counted[] = []) {
  const signal = new EventEmitter()
  const warnings: string[] = []
  const log = { warn: ({ job }: { job: string }) => warnings.push(job) }
  const running = runJobs(jobs, {
    database,
    log: log as never,
    traces: undefined,
    countRun: (name, _seconds, isFailure) => counted.push({ name, isFailure }),
    signal: {
      onChanged: async act => void signal.on('changed', act),
      onReconnect: act => void signal.on('reconnect', act),
    },
  })
  return { ...running, warnings, signal }
}
const job = (name: string, run: Job['run'], others: Partial<Job> = {}): Job => ({
  name,
  everyMs: 1,
  run,
  ...others,
})

test('a job runs again after each pause, also when it fails, and both are counted', async () => {
  const counted: Counted[] = []
  let runs = 0
  const jobs = start(
    [
      job('fails once', async () => {
        runs++
        if (runs === 1) throw new Error('out of luck')
      }),
    ],
    counted,
  )
  await expect.poll(() => runs).toBeGreaterThan(2)
  await jobs.close()
  const atClose = runs
  expect(jobs.warnings).toEqual(['fails once'])
  expect(counted.slice(0, 2)).toEqual([
    { name: 'fails once', isFailure: true },
    { name: 'fails once', isFailure: false },
  ])
  expect(runs).toBe(atClose)
  const [recorded] = await listJobRuns(database)
  expect(recorded).toMatchObject({
    name: 'fails once',
    error: 'out of luck',
    failedAt: expect.any(String),
    succeededAt: expect.any(String),
  })
})

test('housekeeping runs one at a time, and delays no other job', async () => {
  let atOnce = 0
  let most = 0
  const entered: string[] = []
  const gate = Promise.withResolvers<void>()
  const housekeeping = (name: string) =>
    job(
      name,
      async () => {
        entered.push(name)
        atOnce++
        most = Math.max(most, atOnce)
        await gate.promise
        atOnce--
      },
      { isHousekeeping: true },
    )
  let others = 0
  const jobs = start([
    housekeeping('first'),
    housekeeping('second'),
    job('other', async () => {
      others++
    }),
  ])
  await expect.poll(() => others).toBeGreaterThan(1)
  expect(entered).toEqual(['first'])
  gate.resolve()
  await expect.poll(() => entered).toContain('second')
  await jobs.close()
  expect(most).toBe(1)
})

test('closing lets a run end early, and waits for what runs have started', async () => {
  let steps = 0
  let isIdle = false
  const jobs = start([
    job('endless', isClosing => untilIdle(isClosing, async () => ++steps), {
      async idle() {
        isIdle = true
      },
    }),
  ])
  await expect.poll(() => steps).toBeGreaterThan(0)
  await jobs.close()
  expect(isIdle).toBe(true)
})

test('a job that exists no more is forgotten', async () => {
  const first = start([job('former', async () => {})])
  await expect.poll(async () => (await listJobRuns(database)).map(({ name }) => name)).toEqual(['former'])
  await first.close()
  const second = start([job('current', async () => {})])
  await expect.poll(async () => (await listJobRuns(database)).map(({ name }) => name)).toEqual(['current'])
  await second.close()
})

test('a step repeats until it finds nothing, or as often as it may', async () => {
  const results = [2, 1, 0, 5]
  await untilIdle(
    () => false,
    async () => defined(results.shift()),
  )
  expect(results).toEqual([5])
  let steps = 0
  await untilIdle(
    () => false,
    async () => ++steps,
    3,
  )
  expect(steps).toBe(3)
})

test('a job that begins with a change runs soon after one, also during a run, and otherwise waits', async () => {
  const hour = 3_600_000
  const began = new EventEmitter()
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const jobs = start([
    job(
      'begins with a change',
      async () => {
        runs++
        began.emit('run')
        if (runs === 2) await gate.promise
      },
      { idleMs: hour },
    ),
  ])
  await expect.poll(() => runs).toBe(1)
  const second = once(began, 'run')
  jobs.signal.emit('changed')
  await second
  // while the second one runs
  const third = once(began, 'run')
  jobs.signal.emit('changed')
  jobs.signal.emit('changed')
  gate.resolve()
  await third
  // signals may have been missed
  const fourth = once(began, 'run')
  jobs.signal.emit('reconnect')
  await fourth
  await jobs.close()
  expect(runs).toBe(4)
})

test('the longest pause ends without a change, too', async () => {
  let runs = 0
  const jobs = start([job('without a change', async () => void runs++, { idleMs: 5 })])
  await expect.poll(() => runs).toBeGreaterThan(2)
  await jobs.close()
})
