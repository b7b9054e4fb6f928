import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { changeLayout } from '#platform/events/relay-layout.ts'
import { openSignal, type Signal } from '#platform/events/signal.ts'
import { inTurn, itemAt } from '../support/elements.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { expectWhole, startWriters } from '../support/relay-writers.ts'
import { log, openTestDatabase } from '../support/stream-app.ts'

const program = fileURLToPath(new URL('../faults/relay-process.ts', import.meta.url))
const rounds = 12
const layouts = [4, 2, 7, 1, 64, 3]

let fresh: FreshDatabase
let database: Database
let signal: Signal
const running: ChildProcess[] = []
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openTestDatabase(fresh.url, 16)
  signal = await openSignal({ url: fresh.url, log })
})
afterAll(async () => {
  for (const relay of running) relay.kill('SIGKILL')
  await signal.close()
  await database.close()
  await fresh.drop()
})

function startRelay(): void {
  running.push(
    spawn(process.execPath, [program, fresh.url, '1500'], { stdio: ['pipe', 'ignore', 'inherit'] }),
  )
}

test('three relay processes are killed, frozen and started under load while the number of leases changes', async () => {
  for (let n = 0; n < 3; n++) startRelay()
  const organizations = Array.from({ length: 100 }, (_, n) => `o${n}`)
  const load = startWriters(database, signal, { organizations, writers: 12 })
  for (let round = 0; round < rounds; round++) {
    await changeLayout(fresh.url, database, inTurn(layouts, round))
    await sleep(1_000)
    const victim = itemAt(running, round % 3)
    if (round % 2 === 0) {
      // for longer than its leases last; it goes on in the middle of its work
      victim.kill('SIGSTOP')
      await sleep(2_500)
      victim.kill('SIGCONT')
    } else {
      victim.kill('SIGKILL')
      await once(victim, 'exit')
      running.splice(running.indexOf(victim), 1)
      startRelay()
    }
  }
  const emitted = await load.stop()
  expect(Math.min(...emitted.values())).toBeGreaterThan(10)
  await expectWhole(database, emitted)
})
