import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { cap, type Dispatch, leaseMs, openDispatch } from '../support/integrations/dispatcher-harness.ts'
import type { WebhookStage } from '../support/integrations/webhook-harness.ts'
import { deliveriesOf } from '../support/integrations/webhooks.ts'
import { until } from '../support/processes.ts'

let dispatch: Dispatch
let stage: WebhookStage
beforeEach(async () => {
  dispatch = await openDispatch()
  stage = dispatch.stage
})
afterEach(() => dispatch?.close())

it('a rolling restart under load loses nothing and sends nothing twice', async () => {
  stage.receiver.reacts((response, _notice) => void setTimeout(() => response.writeHead(204).end(), 10))
  await dispatch.fill(20, 200)
  let running = [dispatch.start(), dispatch.start(), dispatch.start()]
  await stage.receiver.got(100)
  for (let n = 0; n < 3; n++) {
    const [oldest, ...others] = running as [ChildProcess, ...ChildProcess[]]
    running = [...others, dispatch.start()]
    await dispatch.end(oldest, 'SIGTERM')
    await sleep(500)
  }
  await stage.drained(60_000)
  const { rows, received } = await dispatch.account()
  expect(rows.every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(true)
  expect(received.size).toBe(4_000)
  expect(stage.receiver.notices).toHaveLength(4_000)
})

it('a database that goes away for longer than a lease is no reason to lose or repeat what is recorded', async () => {
  const proxy = await openFaultProxy(stage.url)
  stage.receiver.reacts((response, _notice) => void setTimeout(() => response.writeHead(204).end(), 10))
  const all = await dispatch.fill(10, 150)
  const child = dispatch.start(proxy.url)
  await stage.receiver.got(200)
  await proxy.refuse()
  await sleep(2 * leaseMs)
  const during = stage.receiver.notices.length
  await sleep(500)
  expect(stage.receiver.notices.length, 'nothing is sent without a lease').toBe(during)
  await proxy.heal()
  const startedAt = performance.now()
  await until('it goes on', () => stage.receiver.notices.length > during, 10_000)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  await stage.drained(60_000)
  const { rows, extra } = await dispatch.account()
  expect(rows.every(({ status, recorded }) => status === 'DELIVERED' && recorded === 1)).toBe(true)
  expect(extra).toBeLessThanOrEqual(cap)
  expect((await deliveriesOf(stage.sql, all[0]!)).length).toBe(150)
  await dispatch.end(child, 'SIGTERM')
  await proxy.close()
})
