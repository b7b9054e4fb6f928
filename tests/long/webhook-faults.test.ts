import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { firstOf } from '#tests/support/elements.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import {
  type DispatcherHarness,
  leaseMs,
  maxInFlight,
  openDispatcherHarness,
} from '../support/integrations/dispatcher-harness.ts'
import type { WebhookHarness } from '../support/integrations/webhook-harness.ts'
import { deliveriesOf } from '../support/integrations/webhooks.ts'
import { until } from '../support/processes.ts'

let dispatch: DispatcherHarness
let harness: WebhookHarness
beforeEach(async () => {
  dispatch = await openDispatcherHarness()
  harness = dispatch.webhooks
})
afterEach(() => dispatch?.close())

it('a rolling restart under load loses nothing and sends nothing twice', async () => {
  harness.receiver.replyWith((response, _webhook) => void setTimeout(() => response.writeHead(204).end(), 10))
  await dispatch.fill(20, 200)
  let running = [dispatch.start(), dispatch.start(), dispatch.start()]
  await harness.receiver.waitFor(100)
  for (let n = 0; n < 3; n++) {
    const [oldest, ...others] = running as [ChildProcess, ...ChildProcess[]]
    running = [...others, dispatch.start()]
    await dispatch.stop(oldest, 'SIGTERM')
    await sleep(500)
  }
  await harness.drained(60_000)
  const { rows, received } = await dispatch.audit()
  expect(rows.every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(true)
  expect(received.size).toBe(4_000)
  expect(harness.receiver.received).toHaveLength(4_000)
})

it('a database outage longer than a lease loses and repeats nothing that was recorded', async () => {
  const proxy = await openFaultProxy(harness.url)
  harness.receiver.replyWith((response, _webhook) => void setTimeout(() => response.writeHead(204).end(), 10))
  const all = await dispatch.fill(10, 150)
  const child = dispatch.start(proxy.url)
  await harness.receiver.waitFor(200)
  await proxy.refuse()
  await sleep(2 * leaseMs)
  const during = harness.receiver.received.length
  await sleep(500)
  expect(harness.receiver.received.length, 'nothing is sent without a lease').toBe(during)
  await proxy.heal()
  const startedAt = performance.now()
  await until('it goes on', () => harness.receiver.received.length > during, 10_000)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  await harness.drained(60_000)
  const { rows, extra } = await dispatch.audit()
  expect(rows.every(({ status, recorded }) => status === 'DELIVERED' && recorded === 1)).toBe(true)
  expect(extra).toBeLessThanOrEqual(maxInFlight)
  expect((await deliveriesOf(harness.sql, firstOf(all))).length).toBe(150)
  await dispatch.stop(child, 'SIGTERM')
  await proxy.close()
})
