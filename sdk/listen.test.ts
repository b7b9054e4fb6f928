import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDelivery } from '#contract/integrations/deliveries.ts'
import { holdWebhook, setWebhook, testWebhook } from '#contract/integrations/webhook.ts'
import { atLeast, defined, firstOf, lastOf } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { openReceiver } from '#tests/support/integrations/receiver.ts'
import { openWebhookFixtures, type WebhookFixtures } from '#tests/support/integrations/webhook-fixtures.ts'
import { until } from '#tests/support/processes.ts'
import { connect } from './client.ts'
import { cursorAt, listen } from './listen.ts'
import { verifyWebhook } from './webhook.ts'

let cast: WebhookFixtures
let app: TestApplication
/** An address where nothing listens. */
let nowhere: string
beforeAll(async () => {
  cast = await openWebhookFixtures()
  app = await makeApplication(cast.server, cast.org)
  const gone = await openReceiver()
  await gone.close()
  nowhere = gone.url
})
afterAll(async () => {
  await cast?.receiver.close()
  await cast?.server.close()
})

const secret = 'whsec_of-this-test'

/** Runs the program as a person does in a shell. */
function run(...args: string[]) {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'patio-listen.ts'), ...args])
  let output = ''
  for (const stream of [program.stdout, program.stderr])
    stream.setEncoding('utf8').on('data', piece => {
      output += piece
    })
  const exited = new Promise<number | null>(resolve => program.once('close', resolve))
  return {
    output: () => output,
    prints: (pattern: RegExp) =>
      until(`it says ${pattern}`, () => pattern.test(output)).catch(error => {
        throw new Error(`${error.message}, but:\n${output}`)
      }),
    exited,
    stop() {
      program.kill('SIGINT')
      return exited
    },
  }
}

/** A test notice, as the webhook of the application gets it. */
async function sendTestNotice(path: string) {
  const { manager, receiver } = cast
  const before = receiver.received.filter(notice => notice.path === path).length
  await manager.call(testWebhook, { params: { id: app.id } })
  return lastOf(await receiver.waitFor(before + 1, path))
}

test("forwarded deliveries equal the server's own, signed with the given secret", async () => {
  const { manager, receiver, server } = cast
  const { url } = receiver
  await manager.call(setWebhook, {
    params: { id: app.id },
    body: { url: `${url}/webhook`, events: ['WEBHOOK_TEST'] },
  })
  const earlier = await sendTestNotice('/webhook')
  const later = run('--key', app.key, '--url', server.url, '--to', `${url}/late`, '--secret', secret)
  const all = run(
    '--key',
    app.key,
    '--url',
    `${server.url}/`,
    '--to',
    `${url}/all`,
    '--secret',
    secret,
    '--since',
    '10m',
  )
  await later.prints(/^Listening as .+ \(application-\d+\)/)
  const sent = await sendTestNotice('/webhook')

  const [, forwarded] = atLeast(2, await receiver.waitFor(2, '/all'))
  const { connection: _, ...headers } = sent.headers
  expect(Object.keys(forwarded.headers)).toEqual(expect.arrayContaining(Object.keys(headers)))
  for (const name of [
    'content-type',
    'content-length',
    'user-agent',
    'x-service-event',
    'x-service-delivery-id',
    'x-service-schema-version',
  ])
    expect(forwarded.headers[name], name).toBe(headers[name])
  const { body } = await manager.call(readDelivery, { params: { id: app.id, deliveryId: sent.deliveryId } })
  expect([forwarded.body, sent.body]).toEqual([body, body])
  expect(verifyWebhook(forwarded.body, forwarded.headers, secret)).toMatchObject({
    deliveryId: sent.deliveryId,
    event: 'WEBHOOK_TEST',
  })
  expect(firstOf(receiver.received.filter(({ path }) => path === '/all')).deliveryId).toBe(earlier.deliveryId)

  const line = (id: string) => new RegExp(`^\\d\\d:\\d\\d:\\d\\d  WEBHOOK_TEST +${id}  204  \\d+ ms$`, 'm')
  for (const { deliveryId } of [earlier, sent]) await all.prints(line(deliveryId))
  await later.prints(line(sent.deliveryId))
  expect(later.output(), 'from now on').not.toContain(earlier.deliveryId)
  expect(await Promise.all([later.stop(), all.stop()])).toEqual([0, 0])
  expect(later.output()).toContain(`Stopped. To resume here: --since ${sent.deliveryId}\n`)
})

test('forwards while the webhook is paused; reports an unreachable receiver and continues', async () => {
  const { manager, receiver, server } = cast
  await manager.call(setWebhook, {
    params: { id: app.id },
    body: { url: `${receiver.url}/webhook`, events: ['WEBHOOK_TEST'] },
  })
  const sent = await sendTestNotice('/webhook')
  await manager.call(holdWebhook, { params: { id: app.id } })
  const program = run('--key', app.key, '--url', server.url, '--to', `${nowhere}/hook`, '--since', '1h')
  await program.prints(new RegExp(`${sent.deliveryId}  ECONNREFUSED  `))
  const [, made] = /^Signed with (whsec_\S{43}), generated for this run/m.exec(program.output()) ?? []
  expect(made).toBeDefined()
  expect(await program.stop()).toBe(0)
})

test.each<[string, (url: string, key: string) => string[], RegExp]>([
  ['no key', url => ['--url', url, '--to', nowhere], /^Set the API key/],
  ['no receiver', (url, key) => ['--url', url, '--key', key], /^Set the target with --to/],
  ['no address', (url, key) => ['--url', url, '--key', key, '--to', 'localhost:3000'], /^Set the target/],
  [
    'a wrong key',
    url => ['--url', url, '--key', 'patio_app_x', '--to', nowhere],
    /^Patio does not know this key/,
  ],
  [
    'nothing there',
    (_, key) => ['--url', nowhere, '--key', key, '--to', nowhere],
    /^Nothing answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start Patio/,
  ],
  [
    'no time',
    (url, key) => ['--url', url, '--key', key, '--to', nowhere, '--since', 'noon'],
    /^--since must be like 10m/,
  ],
  ['an unknown option', () => ['--port', '3000'], /^Unknown option '--port'[\s\S]*Usage: patio-listen/],
])('%s is reported in one line with advice', async (_what, args, complaint) => {
  const program = run(...args(cast.server.url, app.key))
  expect(await program.exited).toBe(1)
  expect(program.output()).toMatch(complaint)
})

test('a busy or unreachable server is retried after its retry time', async () => {
  const delivery = { id: cursorAt(1), event: 'WEBHOOK_TEST', body: { meta: { schemaVersion: '2026-07' } } }
  const pages = [
    [429, { errorCode: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 1 }],
    [502, {}],
    [200, { items: [delivery], nextAfter: delivery.id, hasMore: false }],
    [403, { errorCode: 'APPLICATION_DISABLED' }],
  ] as const
  const urls: string[] = []
  const server = createServer((request, response) => {
    const [status, body] = defined(pages[urls.length])
    urls.push(defined(request.url))
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = connect(url, { apiKey: app.key }, { retries: 0 })
  const receiver = await openReceiver()
  receiver.replyWith(503)
  const pauses: unknown[] = []
  const results: string[] = []
  const { signal } = new AbortController()
  const onPause = (...pause: unknown[]) => void pauses.push(pause)
  await expect(async () => {
    for await (const { result } of listen({ client, to: receiver.url, secret, after: 'c0', signal, onPause }))
      results.push(result)
  }).rejects.toThrow('403 APPLICATION_DISABLED')
  expect(pauses).toEqual([
    ['429 RATE_LIMIT_EXCEEDED', 1],
    ['502', 2],
  ])
  expect([results, receiver.received.length]).toEqual([['503'], 1])
  expect(urls.map(url => new URL(url, 'http://x').searchParams.get('after'))).toEqual([
    'c0',
    'c0',
    'c0',
    delivery.id,
  ])
  server.close()
  await receiver.close()
})
