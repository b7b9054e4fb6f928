import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReporter, listErrorsOf } from '#tests/support/error-reports/reports.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { openErrorReporter } from './error-reporter.ts'

let server: TestServer
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
})
afterAll(() => server?.close())

test('equal errors become one report with a count and their details', async () => {
  const source = await createReporter(server, organization)
  const errors = openErrorReporter({
    url: server.url,
    apiKey: source.key,
    module: 'shop',
    context: { release: '1.2' },
  })
  const error = new TypeError('no total')
  for (let n = 0; n < 2_500; n++) errors.report(error, { severity: 'high', endpoint: '/pay' })
  errors.report('a plain text')
  errors.report(Object.assign(new Error('not there'), { status: 404 }))
  errors.report(new Error(`long ${'x'.repeat(5_000)}`), { module: 'other', file: 'f'.repeat(900) })
  await errors.close()
  const seen = (await listErrorsOf(source)).sort((one, other) => other.count - one.count)
  expect(seen.map(({ message, count, module }) => [message.slice(0, 20), count, module])).toEqual([
    ['TypeError: no total', 2_500, 'shop'],
    expect.anything(),
    expect.anything(),
  ])
  expect(seen.map(({ message }) => message.slice(0, 12)).sort()).toEqual([
    'Error: long ',
    'TypeError: n',
    'a plain text',
  ])
  expect(errors.dropped).toBe(0)
  errors.report(error)
  expect(errors.dropped).toBe(1)
})

test('after a 429 everything is dropped until the retry time', async () => {
  let requestCount = 0
  const server = createServer((_request, response) => {
    requestCount++
    const body = JSON.stringify({ statusCode: 429, errorCode: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 60 })
    response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '60' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const errors = openErrorReporter({ url, apiKey: 'key', module: 'shop' })
  for (let n = 0; n < 50; n++) errors.report(`error ${n}`)
  await errors.flush()
  expect(requestCount).toBeLessThanOrEqual(4)
  for (let n = 0; n < 50; n++) errors.report(`error ${n}`)
  await errors.close()
  expect([requestCount <= 4, errors.dropped]).toEqual([true, 100])
  server.close()
})

test('an unreachable server costs a bounded queue', async () => {
  const errors = openErrorReporter({
    url: 'http://127.0.0.1:1',
    apiKey: 'key',
    module: 'shop',
    most: 10,
    everyMs: 5,
  })
  for (let n = 0; n < 1_000; n++) errors.report(`error ${n}`)
  expect(errors.dropped).toBe(990)
  await expect.poll(() => errors.dropped).toBe(1_000)
  await errors.close()
})

test('`before` changes and drops reports; a throwing one and values that are not errors do no harm', async () => {
  const source = await createReporter(server, organization)
  const errors = openErrorReporter({
    url: server.url,
    apiKey: source.key,
    module: 'shop',
    before(report) {
      if (report.message === 'drop') return undefined
      if (report.message === 'throw') throw new Error('in the hook')
      return { ...report, message: `seen: ${report.message}` }
    },
  })
  for (const thrown of ['drop', 'throw', 'keep', null, undefined, 42, {}]) errors.report(thrown)
  await errors.flush()
  const messages = (await listErrorsOf(source)).map(({ message, count }) => [message, count]).sort()
  expect(messages).toEqual([
    ['seen: Unknown error', 4],
    ['seen: keep', 1],
  ])
  expect(errors.dropped).toBe(1)
})

test('an error that ends the process is sent first, with the queue', async () => {
  const source = await createReporter(server, organization)
  const options = JSON.stringify({
    url: `${server.url}/`,
    apiKey: source.key,
    module: 'shop',
    // a machine that tests keep busy is no reason to give up
    shutdownTimeoutMs: 60_000,
  })
  const program = `import { openErrorReporter } from '${new URL('./index.ts', import.meta.url)}'
    const errors = openErrorReporter(${options})
    errors.captureUncaught()
    errors.report('waits')
    Promise.reject(new Error('nobody catches this'))`
  const ended = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]).catch(
    error => error,
  )
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody catches this') })
  const seen = (await listErrorsOf(source)).map(({ message, severity }) => [message, severity]).sort()
  expect(seen).toEqual([
    ['Error: nobody catches this', 'critical'],
    ['waits', 'low'],
  ])
})
