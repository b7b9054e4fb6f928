import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crowd } from '#tests/support/crowd.ts'
import { firstOf } from '#tests/support/elements.ts'
import {
  childrenOf,
  endAll,
  isAlive,
  type Patio,
  postmasterOf,
  processesOn,
  removeFolders,
  start,
  until,
  usedDataFolder,
} from '#tests/support/processes.ts'
import { clientOf, readDemo } from './demo.ts'
import { type Ledger, openLedger } from './ledger.ts'

// One server is killed repeatedly while clients write; at the end, everything that they were confirmed must
// exist.
let dataDir: string
let patio: Patio
let ledger: Ledger

beforeAll(async () => {
  dataDir = await usedDataFolder()
  patio = await start('up', { DATA_DIR: dataDir })
  const people = firstOf(readDemo(dataDir).organizations).people.slice(0, 3)
  const writers = []
  for (const person of people)
    writers.push({ personId: person.id, client: await clientOf(patio.url, person) })
  ledger = openLedger(writers)
  await ledger.grows(30)
})
afterAll(async () => {
  await ledger?.stop()
  endAll()
  removeFolders()
})

test('kill -9 of the API process: the supervisor starts another one at the same address', async () => {
  const { api } = childrenOf(patio)
  const logEnd = patio.output().length
  process.kill(api, 'SIGKILL')
  await patio.waitForOutput(/"name":"api".*"msg":"listening"/, logEnd)
  await ledger.grows()
  expect(childrenOf(patio).api).not.toBe(api)
  expect(patio.output().slice(logEnd)).toContain('"signal":"SIGKILL"')
})

test('kill -9 of the worker: another one takes over the relay, and writers do not notice', async () => {
  const { worker } = childrenOf(patio)
  const unknown = ledger.unknown()
  const logEnd = patio.output().length
  process.kill(worker, 'SIGKILL')
  await patio.waitForOutput(/acquired relay leases/, logEnd)
  await ledger.grows()
  expect(ledger.unknown()).toBe(unknown)
})

test('kill -9 of PostgreSQL: it recovers, and nothing else ends', async () => {
  for (let round = 0; round < 2; round++) {
    const { api, worker } = childrenOf(patio)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    const ms = await ledger.grows()
    expect(ms).toBeLessThan(15_000 * crowd())
    expect(isAlive(api) && isAlive(worker), 'API and worker live through it').toBe(true)
  }
})

test('kill -9 of the supervisor leaves nothing behind, and the next start works', async () => {
  const { api, worker } = childrenOf(patio)
  const postmaster = postmasterOf(dataDir)
  const port = new URL(patio.url).port
  await patio.stop('SIGKILL')
  await until('the children are gone', () => ![api, worker, postmaster].some(isAlive), 15_000)
  expect(processesOn(dataDir)).toEqual([])

  patio = await start('up', { DATA_DIR: dataDir, PORT: port })
  await ledger.grows()
})

test('everything at once, under load', async () => {
  const { api, worker } = childrenOf(patio)
  const port = new URL(patio.url).port
  for (const pid of [patio.pid, postmasterOf(dataDir), worker, api]) process.kill(pid, 'SIGKILL')
  await patio.exited
  patio = await start('up', { DATA_DIR: dataDir, PORT: port })
  await ledger.grows()
})

test('no acknowledged write was lost, every counter equals its rows, no event was emitted twice', async () => {
  await ledger.stop()
  expect(ledger.acknowledged()).toBeGreaterThan(150)
  const database = new pg.Client({
    connectionString: readFileSync(join(dataDir, 'database.url'), 'utf8').trim(),
  })
  await database.connect()
  await ledger.check(database)
  await database.end()
  expect((await patio.stop()).code).toBe(0)
  expect(processesOn(dataDir)).toEqual([])
})
