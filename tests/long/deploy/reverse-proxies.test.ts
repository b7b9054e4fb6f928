import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAudit } from '#contract/identity/audit-log.ts'
import { createStreamToken } from '#contract/identity/sessions.ts'
import { listFiles } from '#contract/studio/files.ts'
import { freePort } from '#platform/ports.ts'
import { endAll, type Patio, removeFolders, start, until } from '#tests/support/processes.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { sha256Of } from '#tests/support/studio/files.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import {
  type Browser,
  clientAddress,
  openBrowser,
  type ProxyName,
  type ReverseProxy,
  startProxy,
} from './proxy.ts'

const maxFileBytes = 104_857_600
/** Longer than the read timeouts of the proxies and of their predecessors, a minute. */
const idleMs = 80_000

let server: TestServer
let person: Person
let apiPorts: [number, number]
let apis: [Patio, Patio]

function startApi(port: number): Promise<Patio> {
  return start('api', {
    ...server.env,
    FILES_URL: server.config.filesUrl,
    PORT: String(port),
    TRUST_PROXY: '127.0.0.1',
    DRAIN_DELAY_SECONDS: '3',
    // requests are logged
    LOG_LEVEL: 'debug',
  })
}

beforeAll(async () => {
  server = await startTestServer()
  person = await (await server.organization()).person({ role: 'OWNER' })
  apiPorts = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
  apis = await Promise.all([startApi(apiPorts[0]), startApi(apiPorts[1])])
})
afterAll(async () => {
  await Promise.all(apis?.map(api => api.stop()) ?? [])
  await server?.close()
  endAll()
  removeFolders()
})

describe.each<ProxyName>(['nginx', 'caddy', 'haproxy'])('%s', name => {
  let proxy: ReverseProxy
  let browser: Browser
  let authorized: Record<string, string>
  beforeAll(async () => {
    proxy = await startProxy(name, apiPorts)
    browser = await openBrowser(proxy.httpsPort)
    authorized = { authorization: `Bearer ${person.token}` }
  })
  afterAll(async () => {
    browser?.close()
    await proxy?.stop()
  })

  const json = { 'content-type': 'application/json' }
  const asset = JSON.stringify({ type: 'PROMPT', name: 'Through a proxy' })
  const list = (through: Browser) => through.ask({ path: '/api/studio/assets', headers: authorized })
  const create = (through: Browser, headers: Record<string, string> = {}) =>
    through.ask({
      method: 'POST',
      path: '/api/studio/assets',
      headers: { ...authorized, ...json, ...headers },
      body: asset,
    })

  test('http leads to https, and https speaks HTTP/2', async () => {
    const redirect = await fetch(`http://127.0.0.1:${proxy.httpPort}/sign-in?next=%2Fme`, {
      redirect: 'manual',
      headers: { host: 'receiver.example.test' },
    })
    expect(redirect.status).toBe(308)
    expect(redirect.headers.get('location')).toMatch(/^https:\/\/[^/]+\/sign-in\?next=%2Fme$/)
    expect((await browser.ask({ path: '/readyz' })).status).toBe(200)
  })

  test.each([
    '/metrics',
    '/metrics?x=1',
    '/metrics/',
    '//metrics',
    '/./metrics',
    '/api/../metrics',
    '/%6detrics',
    '/api/%2e%2e/metrics',
    '/METRICS',
    '/metrics;x',
    '/metrics%3fx',
  ])('%s shows no metrics', async path => {
    const { status, body } = await browser.ask({ path })
    expect(status).toBe(404)
    expect(body.toString()).not.toContain('# HELP')
  })

  test('the address of a client is that of its connection, whatever it claims', async () => {
    const { status, body } = await create(browser, {
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
    })
    expect(status).toBe(201)
    const { id } = JSON.parse(body.toString()) as { id: string }
    await server.relayed()
    const { items } = await person.call(listAudit, { query: { subject: id } })
    expect(items.map(({ ip }) => ip)).toEqual([clientAddress])
  })

  test('replies are compressed once, by Patio', async () => {
    const headers = { 'accept-encoding': 'gzip, br;q=1.0' }
    const document = await browser.ask({ path: '/api/openapi.json', headers: { 'accept-encoding': 'br' } })
    expect(document.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(document.body).toString())).toHaveProperty('openapi')
    // a page may contain secrets, and is not compressed
    const page = await browser.ask({ path: '/docs', headers })
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.headers['content-encoding']).toBeUndefined()
  })

  function openUpload(id: string, headers: Record<string, string>, size: number) {
    const head = Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n',
    )
    const tail = Buffer.from('\r\n--x--\r\n')
    const stream = browser.open({
      method: 'POST',
      path: `/api/studio/assets/${id}/versions/current/files`,
      headers: {
        ...headers,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(head.length + size + tail.length),
      },
    })
    const cutOff = once(stream, 'close').then(() => Promise.reject(new Error('the upload was cut off')))
    const answered = Promise.race([once(stream, 'response'), cutOff]).then(async ([headers]) => ({
      status: Number((headers as IncomingHttpHeaders)[':status']),
      body: (await buffer(stream)).toString(),
    }))
    cutOff.catch(() => {})
    stream.write(head)
    return { stream, tail, answered }
  }

  test('the largest file passes unchanged, and a larger one is refused by Patio', async () => {
    const { id } = await makeAsset(person)
    const bytes = Buffer.alloc(maxFileBytes, 'patio')
    const allowed = openUpload(id, authorized, bytes.length)
    allowed.stream.write(bytes)
    allowed.stream.end(allowed.tail)
    expect((await allowed.answered).status).toBe(201)
    const { items } = await person.call(listFiles, { params: { id, version: 'current' } })
    expect(items.map(({ size, sha256 }) => ({ size, sha256 }))).toEqual([
      { size: bytes.length, sha256: sha256Of(bytes) },
    ])

    const refused = openUpload(id, authorized, bytes.length + 1)
    refused.stream.write(bytes)
    refused.stream.write('x')
    refused.stream.end(refused.tail)
    const { status, body } = await refused.answered
    expect(status).toBe(413)
    expect(JSON.parse(body)).toMatchObject({ errorCode: 'FILE_TOO_LARGE' })
  })

  test('an upload reaches Patio while it is sent: a refusal arrives before its end, and other requests go on', async () => {
    const { id } = await makeAsset(person)
    const { stream, answered } = openUpload(id, {}, maxFileBytes)
    stream.write(Buffer.alloc(100_000))
    expect((await answered).status).toBe(401)
    stream.close()
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([list(browser), create(browser)])
      expect(replies.map(({ status }) => status)).toEqual([200, 201])
    }
  })

  async function openStream() {
    const { token } = await person.call(createStreamToken)
    const stream = browser.open({ path: `/api/events?token=${token}` })
    let text = ''
    stream.setEncoding('utf8').on('data', piece => {
      text += piece
    })
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
    expect(headers[':status']).toBe(200)
    return { stream, text: () => text, shows: (part: string) => until(part, () => text.includes(part)) }
  }

  test('a stream shows an event while it is open, and outlives the timeouts of the proxy when nothing happens', async () => {
    const { stream, text, shows } = await openStream()
    await shows('event: connected')
    const { body } = await create(browser)
    await shows((JSON.parse(body.toString()) as { id: string }).id)
    const quietFrom = text().length
    await Promise.race([
      new Promise(resolve => setTimeout(resolve, idleMs)),
      once(stream, 'close').then(() => Promise.reject(new Error(`the stream ended: ${text()}`))),
    ])
    const heartbeats =
      text()
        .slice(quietFrom)
        .match(/event: heartbeat/g) ?? []
    expect(heartbeats.length).toBeGreaterThanOrEqual(3)
    stream.close()
  })

  test('a restart of every api process, one after the other, fails no request', async () => {
    const answers = new Map<number, number>()
    const failures: string[] = []
    let isDone = false
    async function work(method: 'GET' | 'POST'): Promise<void> {
      while (!isDone) {
        // proxies end a connection after a thousand requests
        const own = await openBrowser(proxy.httpsPort)
        for (let count = 0; count < 500 && !isDone; count++) {
          const { status, headers, body } = await (method === 'GET' ? list(own) : create(own))
          answers.set(status, (answers.get(status) ?? 0) + 1)
          if (status >= 400) failures.push(`${method} ${status} ${JSON.stringify(headers)} ${body}`)
        }
        own.close()
      }
    }
    const working = Promise.all([work('GET'), work('GET'), work('POST'), work('POST')])
    for (const index of [0, 1] as const) {
      expect((await apis[index].stop('SIGTERM')).code).toBe(0)
      apis[index] = await startApi(apiPorts[index])
      const served = () => apis[index].lines().some(({ path }) => path === '/api/studio/assets')
      await until('the proxy uses it again', served)
    }
    isDone = true
    await working
    expect(failures).toEqual([])
    expect([...answers.keys()].sort()).toEqual([200, 201])
    expect(answers.get(201)).toBeGreaterThan(50)
  })
})
