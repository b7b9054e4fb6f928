import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { reportError } from '#contract/error-reports/errors.ts'
import { listDeliveries } from '#contract/integrations/deliveries.ts'
import { setWebhook } from '#contract/integrations/webhook.ts'
import { connect } from '#sdk/client.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { addressOfSigner, requestSigners } from '#tests/support/crm/signature-requests.ts'
import { firstOf } from '#tests/support/elements.ts'
import { type FakeClock, openFakeClock, startPostgresWithClock } from '#tests/support/fake-clock.ts'
import { childrenOf, dataFolder, endAll, isAlive, removeFolders, until } from '#tests/support/processes.ts'
import { openSmtpServer } from '#tests/support/smtp.ts'
import { openWorstDay } from '#tests/support/worst-day.ts'

const jumpHours = 3
/** Longer than any pause of a test, and shorter than the jump. */
const soonMs = 60_000

const closers: (() => unknown)[] = []
afterEach(async () => {
  endAll()
  for (const close of closers.splice(0)) await close()
})
afterAll(removeFolders)

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const report = (text: string) => process.stdout.write(`${text}\n`)

/** A receiver of webhooks that fails on request. */
async function openReceiver() {
  const received: string[] = []
  let isFailing = false
  const receiver = createServer((request, response) => {
    request.resume()
    if (!isFailing) received.push(String(request.headers['x-service-delivery-id']))
    response.writeHead(isFailing ? 500 : 204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    fail(is: boolean) {
      isFailing = is
    },
    close() {
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

/** A whole server with its own clock, with a mail and a delivery that wait for their repetition. */
async function openClockDay(clock: FakeClock) {
  const postgres = await startPostgresWithClock(clock)
  const smtp = await openSmtpServer()
  const receiver = await openReceiver()
  closers.push(postgres.stop, smtp.close, receiver.close)
  const day = await openWorstDay({
    dataDir: dataFolder(),
    databaseUrl: postgres.url,
    env: {
      ...clock.env,
      DATABASE_URL: postgres.url,
      DEMO: '1',
      SIGN_IN_SECRET: 'a secret of this test that is long enough',
      SESSION_KEYS: 't1:a key of this test that is long enough',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Patio <patio@example.com>',
    },
  })
  const application = firstOf(firstOf(day.demo.organizations).applications)
  const params = { id: application.id }
  await day.client.call(setWebhook, { params, body: { url: receiver.url, events: ['ERROR_REPORTED'] } })
  const reporter = connect(day.patio.url, { apiKey: application.key }, { retries: 0 })
  const deliveries = async () =>
    (await day.client.call(listDeliveries, { params, query: { limit: 100 } })).items
  const reportNew = (message: string) =>
    reporter.call(reportError, { body: { message: `Unknown failure ${message}`, module: message } })
  const mailsTo = (name: string) => smtp.taken.filter(({ to }) => to.includes(addressOfSigner(name))).length
  const ask = async (names: string[]) => {
    const budget = await makeBudget(day.client)
    await requestSigners(day.client, budget.id, Object.fromEntries(names.map(name => [name, 1])))
  }

  smtp.script.dropsAtRecipients = true
  receiver.fail(true)
  await ask(['Ana', 'Bea'])
  await reportNew('before')
  await until('a delivery waits for its repetition', async () =>
    (await deliveries()).some(({ attempts }) => attempts > 0),
  )
  smtp.script.dropsAtRecipients = false
  receiver.fail(false)
  expect(['Ana', 'Bea'].map(mailsTo)).toEqual([0, 0])
  return {
    ...day,
    /** After a jump: new work is done at once, and the mails that waited arrive once. */
    async worksAgain() {
      const startedAt = performance.now()
      const since = () => seconds(performance.now() - startedAt)
      await day.isBack()
      report(`writes and events after ${since()}`)
      const delivered = receiver.received.length
      await Promise.all([reportNew('after'), ask(['Eva', 'Zoe'])])
      await until('a new event is delivered', () => receiver.received.length > delivered, soonMs)
      report(`a new event was delivered after ${since()}`)
      await until('new mails arrive', () => mailsTo('Eva') && mailsTo('Zoe'), soonMs)
      await until('the mails that waited arrive', () => mailsTo('Ana') && mailsTo('Bea'), soonMs)
      report(`the mails that waited arrived after ${since()}`)
      expect(['Ana', 'Bea', 'Eva', 'Zoe'].map(mailsTo)).toEqual([1, 1, 1, 1])
    },
    deliveries,
    async end(title: string) {
      for (const { event, status, attempts } of await deliveries())
        report(`delivery of ${event}: ${status}, ${attempts} attempts`)
      await day.verify(title)
      expect((await day.patio.stop()).code).toBe(0)
    },
  }
}

test.each([
  { direction: 'forwards', from: 0, to: jumpHours },
  { direction: 'back', from: jumpHours, to: 0 },
])(
  'the clock is set $direction by hours: everything is served, and no mail is stuck',
  async ({ direction, from, to }) => {
    const clock = openFakeClock(from)
    const day = await openClockDay(clock)
    day.watch.begin(direction)
    clock.set(to)
    await day.worksAgain()
    for (const kind of ['healthz', 'readyz', 'read', 'write'] as const)
      expect(day.watch.failures(direction, kind)).toEqual([])
    await day.end(`clock ${direction}`)
  },
)

test('the worker is killed and the clock is set back: its successor has the leases within seconds', async () => {
  const clock = openFakeClock(jumpHours)
  const day = await openClockDay(clock)
  const { worker } = childrenOf(day.patio)
  day.watch.begin('killed')
  process.kill(worker, 'SIGSTOP')
  clock.set(0)
  process.kill(worker, 'SIGKILL')
  await until('there is another worker', () => !isAlive(worker) && childrenOf(day.patio).worker !== worker)
  await day.worksAgain()
  await day.end('clock back while the worker is down')
})
