import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateAsset } from '#contract/studio/assets.ts'
import { lastOf } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let owner: Person
let large: string
let small: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization()).person({ role: 'OWNER' })
  const body = 'The same words again. '.repeat(500)
  large = `/api/studio/assets/${(await makeAsset(owner, { bodyMarkdown: body })).id}`
  small = '/api/auth/me'
})
afterAll(() => server?.close())

type Sent = { method?: 'GET' | 'HEAD' | 'POST' | 'PATCH'; headers?: Record<string, string>; body?: object }
async function send(path: string, { method = 'GET', headers, body }: Sent = {}) {
  const answer = await request(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${owner.token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}
const accepting = (encodings: string) => ({ headers: { 'accept-encoding': encodings } })

describe('compression', () => {
  test('is used for JSON above 1 KB on request, with its headers', async () => {
    const plain = await send(large)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toBe('Accept-Encoding')
    const gzip = await send(large, accepting('gzip, deflate'))
    expect([gzip.headers['content-encoding'], gzip.headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
    expect(gzip.headers['content-length']).toBe(String(gzip.bytes.length))
    expect(gzip.bytes.length).toBeLessThan(plain.bytes.length / 4)
    const brotli = await send(large, accepting('gzip, deflate, br, zstd'))
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes)
    const document = await send('/api/openapi.json', accepting('gzip'))
    expect(document.headers['content-encoding']).toBe('gzip')
  })

  test.each([
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.1, identity', undefined],
    ['br;q=0.1, gzip', 'gzip'],
    ['*;q=0', undefined],
    ['nonsense', undefined],
    ['', undefined],
  ])('respects Accept-Encoding: %s', async (encodings, encoding) => {
    expect((await send(large, accepting(encodings))).headers['content-encoding']).toBe(encoding)
  })

  test('HEAD has the headers of GET', async () => {
    const get = await send(large, accepting('gzip'))
    const head = await send(large, { method: 'HEAD', ...accepting('gzip') })
    expect(head.bytes.length).toBe(0)
    for (const name of ['content-length', 'content-encoding', 'content-type', 'etag', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
  })

  test('is not used for small replies, other types, files, streams and writes', async () => {
    const all = { headers: { 'accept-encoding': 'br, gzip' } }
    const asset = await makeAsset(owner)
    for (const path of [small, '/docs', '/metrics', `/api/studio/assets/${asset.id}/export`]) {
      const { status, headers } = await send(path, all)
      expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined])
    }
    // secrets are shown once, in answers to writes, beside text that was just sent
    const written = await send(large, { ...all, method: 'PATCH', body: { name: 'Another name' } })
    expect([written.status, written.headers['content-encoding']]).toEqual([200, undefined])
  })

  test('a long reply without it arrives whole', async () => {
    const bodyMarkdown = 'Año '.repeat(10_000)
    const { id } = await makeAsset(owner, { bodyMarkdown })
    const { bytes, headers } = await send(`/api/studio/assets/${id}`)
    expect(JSON.parse(bytes.toString()).bodyMarkdown).toBe(bodyMarkdown)
    expect(headers['content-length']).toBe(String(bytes.length))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('extends an existing Vary header', async () => {
    const { key } = await makeApplication(
      server,
      { id: owner.organizationId },
      { origins: ['https://app.example.com'], principal: owner },
    )
    const { headers } = await send('/api/external/v1/events/catalogue', {
      headers: { 'x-api-key': key, origin: 'https://app.example.com', 'accept-encoding': 'gzip' },
    })
    expect([headers.vary, headers['content-encoding']]).toEqual(['Origin, Accept-Encoding', 'gzip'])
  })
})

describe('an entity tag', () => {
  test('of a single object leads to 304 until the object changes', async () => {
    const { headers } = await send(large)
    const tag = String(headers.etag)
    expect(tag).toMatch(/^W\/"[\w-]+"$/)
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await send(large, { headers: { 'if-none-match': known, 'accept-encoding': 'gzip' } })
      expect([known, again.status, again.bytes.length, again.headers.etag]).toEqual([known, 304, 0, tag])
      expect(again.headers['content-length']).toBeUndefined()
      expect(again.headers['content-type']).toBeUndefined()
      expect(again.headers.vary).toBe('Accept-Encoding')
    }
    const head = await send(large, { method: 'HEAD', headers: { 'if-none-match': tag } })
    expect([head.status, head.headers['content-length']]).toEqual([304, undefined])
    await owner.call(updateAsset, { params: { id: lastOf(large.split('/')) }, body: { name: 'Renamed' } })
    const changed = await send(large, { headers: { 'if-none-match': tag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(tag)
  })

  test('is sent with the OpenAPI document, but not with lists or errors', async () => {
    const { headers } = await send('/api/openapi.json')
    const again = await send('/api/openapi.json', { headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await send('/api/studio/assets')).headers.etag).toBeUndefined()
    const missing = await send('/api/studio/assets/cnone', { headers: { 'if-none-match': '*' } })
    expect([missing.status, missing.headers.etag]).toEqual([404, undefined])
  })
})
