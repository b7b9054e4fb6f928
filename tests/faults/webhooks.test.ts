import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFaultProxy } from '../fault-proxy.ts'
import { until } from '../processes.ts'
import { randomFrom } from '../random.ts'
import { openWebhookStage, type WebhookStage } from '../webhook-stage.ts'
import { deliveriesOf, type MadeEndpoint, signInSecret } from '../webhooks.ts'

vi.setConfig({ testTimeout: 180_000 })

const program = fileURLToPath(new URL('dispatch-process.ts', import.meta.url))
const leaseMs = 1_500
/** What one process may have under way. */
const cap = 64

let stage: WebhookStage
let running: ChildProcess[] = []
beforeEach(async () => {
  stage = await openWebhookStage()
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  running = []
  await stage.close()
})

function start(url = stage.url, ...more: string[]): ChildProcess {
  const args = [program, url, String(leaseMs), signInSecret, ...more]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] })
  running.push(child)
  return child
}
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  running = running.filter(one => one !== child)
  child.kill(signal)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function fill(endpoints: number, each: number): Promise<MadeEndpoint[]> {
  const all: MadeEndpoint[] = []
  for (let n = 0; n < endpoints; n++) {
    const to = await stage.endpoint(`/${n}/`)
    all.push(to)
    await stage.due(to, each)
  }
  return all
}

/** How often each notice came, and what was recorded of it. */
async function account() {
  const received = new Map<string, number>()
  for (const { deliveryId } of stage.receiver.notices)
    received.set(deliveryId, (received.get(deliveryId) ?? 0) + 1)
  const rows = await stage.sql<{ id: string; status: string; attempts: number; recorded: number }>(
    `select d.id, d.status, d.attempts, (d.first_record is not null)::int + (select count(*)::int from webhook_attempt a
       where a.organization_id = d.organization_id and a.delivery_id = d.id) as recorded
     from webhook_delivery d`,
  )
  const extra = rows.reduce((sum, row) => sum + (received.get(row.id) ?? 0) - row.recorded, 0)
  return { rows, received, extra }
}

it('kill -9 at any point: nothing is lost, at most five attempts are recorded, and what was under way may come twice', async () => {
  const random = randomFrom(20_261_121)
  stage.receiver.reacts((response, { deliveryId }) => {
    // every tenth notice fails at first
    const isFirst = stage.receiver.notices.filter(one => one.deliveryId === deliveryId).length === 1
    const status = isFirst && deliveryId.charCodeAt(20) % 10 === 0 ? 503 : 204
    setTimeout(() => response.writeHead(status).end(), random() * 20)
  })
  await fill(20, 150)
  let [one, other] = [start(), start()]
  let kills = 0
  const isDone = async () => (await stage.sql('select 1 from webhook_due limit 1')).length === 0
  while (kills < 6 && !(await isDone())) {
    await sleep(400 + random() * 900)
    await end(one, 'SIGKILL')
    kills++
    ;[one, other] = [other, start()]
  }
  await stage.drained(60_000)
  const { rows, received, extra } = await account()
  expect(kills).toBeGreaterThan(1)
  expect(rows).toHaveLength(3_000)
  expect(rows.filter(({ status }) => status !== 'DELIVERED')).toEqual([])
  expect(rows.filter(({ attempts, recorded }) => attempts !== recorded || recorded > 5)).toEqual([])
  expect(rows.filter(({ id }) => !received.has(id))).toEqual([])
  expect(extra).toBeGreaterThanOrEqual(0)
  expect(extra, 'sent and not recorded').toBeLessThanOrEqual(kills * cap * 2)
  process.stdout.write(`kill -9: ${kills} kills, ${extra} of ${rows.length} notices came once more\n`)
})

it('an owner that stood still past its lease writes nothing of what it finds', async () => {
  stage.receiver.reacts((response, _notice) => void setTimeout(() => response.writeHead(204).end(), 400))
  const all = await fill(8, 60)
  const first = start()
  await stage.receiver.got(30)
  first.kill('SIGSTOP')
  const second = start()
  const stopped = stage.receiver.notices.length
  await until('another one has taken over', () => stage.receiver.notices.length > stopped + 50, 20_000)
  first.kill('SIGCONT')
  await stage.drained(60_000)
  const { rows, received, extra } = await account()
  expect(
    rows.every(
      ({ status, attempts, recorded }) => status === 'DELIVERED' && attempts === 1 && recorded === 1,
    ),
  ).toBe(true)
  expect(rows.every(({ id }) => received.has(id))).toBe(true)
  expect(extra).toBeLessThanOrEqual(cap)
  expect(all).toHaveLength(8)
  await Promise.all([end(first, 'SIGTERM'), end(second, 'SIGTERM')])
})

it('a rolling restart under load loses nothing and sends nothing twice', async () => {
  stage.receiver.reacts((response, _notice) => void setTimeout(() => response.writeHead(204).end(), 10))
  await fill(20, 200)
  let running = [start(), start(), start()]
  await stage.receiver.got(100)
  for (let n = 0; n < 3; n++) {
    const [oldest, ...others] = running as [ChildProcess, ...ChildProcess[]]
    running = [...others, start()]
    await end(oldest, 'SIGTERM')
    await sleep(500)
  }
  await stage.drained(60_000)
  const { rows, received } = await account()
  expect(rows.every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(true)
  expect(received.size).toBe(4_000)
  expect(stage.receiver.notices).toHaveLength(4_000)
})

it('a database that goes away for longer than a lease is no reason to lose or repeat what is recorded', async () => {
  const proxy = await openFaultProxy(stage.url)
  stage.receiver.reacts((response, _notice) => void setTimeout(() => response.writeHead(204).end(), 10))
  const all = await fill(10, 150)
  const child = start(proxy.url)
  await stage.receiver.got(200)
  proxy.refuse()
  await sleep(2 * leaseMs)
  const during = stage.receiver.notices.length
  await sleep(500)
  expect(stage.receiver.notices.length, 'nothing is sent without a lease').toBe(during)
  proxy.cut()
  const startedAt = performance.now()
  await until('it goes on', () => stage.receiver.notices.length > during, 10_000)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  await stage.drained(60_000)
  const { rows, extra } = await account()
  expect(rows.every(({ status, recorded }) => status === 'DELIVERED' && recorded === 1)).toBe(true)
  expect(extra).toBeLessThanOrEqual(cap)
  expect((await deliveriesOf(stage.sql, all[0]!)).length).toBe(150)
  await end(child, 'SIGTERM')
  await proxy.close()
})

it('a notice that ends every process that sends it is given up, and stops neither its lane nor the others', async () => {
  const [to, other] = await fill(2, 40)
  const [deadly] = await stage.due(to!)
  await stage.sql(`update webhook_delivery set body = replace(body, '"n"', '"deadly"') where id = $1`, [
    deadly,
  ])
  const last = await stage.due(to!, 40)
  let deaths = 0
  let isWanted = true
  const supervised = (async () => {
    while (isWanted) {
      const child = start(stage.url, '"deadly"')
      await once(child, 'exit')
      running = running.filter(one => one !== child)
      if (isWanted) deaths++
    }
  })()
  await stage.drained(90_000)
  // who is still there sends on
  const [after] = await stage.due(to!)
  await stage.drained()
  isWanted = false
  for (const child of running) child.kill('SIGKILL')
  await supervised
  const all = [...(await deliveriesOf(stage.sql, to!)), ...(await deliveriesOf(stage.sql, other!))]
  expect(all).toHaveLength(122)
  expect(all.filter(({ status }) => status !== 'DELIVERED')).toEqual([
    { id: deadly, status: 'FAILED', attempts: 1, outcome: 'INTERNAL', last_status: null },
  ])
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([...last, after]))
  const [{ record } = {}] = await stage.sql(
    'select first_record as record from webhook_delivery where id = $1',
    [deadly],
  )
  expect(record).toMatchObject({ outcome: 'INTERNAL', error: 'The process that sent it ended each time' })
  // once unknown, once more to be sure, and three times counted
  expect(deaths).toBeGreaterThanOrEqual(4)
  expect(deaths).toBeLessThanOrEqual(6)
  expect(await stage.sql('select 1 from dispatch_shard where deaths > 5')).toEqual([])
})
