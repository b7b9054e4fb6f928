import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { itemAt } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { operationCases } from './operations.ts'

const all = await operationCases()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** The methods of each URL, by its route. */
const methods = new Map<string, Set<string>>()
for (const { route } of all) {
  const [method, path] = route.split(' ') as [string, string]
  const there = methods.get(path) ?? new Set()
  methods.set(path, there.add(method))
  if (method === 'GET') there.add('HEAD')
}
let turn = 0
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

async function send(method: string, route: string, headers: Record<string, string> = {}) {
  const path = route.replace(/:\w+/g, 'cnone')
  const answer = await request(`${server.url}${path}`, { method: method as 'GET', headers })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}

/** The methods of this exact URL: `/assets/cnone` also matches `/assets/:id`. */
function allowedAt(path: string): string[] {
  const segments = path.split('/')
  const fits = (other: string) =>
    other.split('/').length === segments.length &&
    other.split('/').every((part, at) => part.startsWith(':') || part === segments[at])
  return [...methods].flatMap(([other, taken]) => (fits(other) ? [...taken] : []))
}

/** Runs a check for every item, some at a time. */
async function each<Item>(items: Iterable<Item>, check: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const task = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await check(item)
  }
  await Promise.all(Array.from({ length: 20 }, task))
}

describe('every address', () => {
  test('supports HEAD wherever it supports GET, without a body', async () => {
    const reads = [...methods].filter(([, taken]) => taken.has('GET'))
    await each(reads, async ([path]) => {
      const [head, get] = await Promise.all([send('HEAD', path), send('GET', path)])
      expect([path, head.status, head.text]).toEqual([path, get.status, ''])
      expect([path, head.headers['content-type']]).toEqual([path, get.headers['content-type']])
    })
  })

  test('refuses every other method with 405 and Allow', async () => {
    await each(methods.keys(), async path => {
      const allowed = new Set(allowedAt(path))
      const wrong = everyMethod.filter(method => !allowed.has(method))
      // the methods alternate: each URL gets one
      const method = itemAt(wrong, turn++ % wrong.length)
      const { status, headers, text } = await send(method, path)
      expect([method, path, status]).toEqual([method, path, 405])
      expect([path, new Set(String(headers.allow).split(', '))]).toEqual([path, allowed])
      if (method !== 'HEAD')
        expect(JSON.parse(text)).toMatchObject({ statusCode: 405, error: 'Method Not Allowed' })
    })
  })

  test('sends WWW-Authenticate with 401', async () => {
    const guarded = all.filter(({ auth }) => auth !== 'public')
    await each(guarded, async ({ route, auth }) => {
      const [method, path] = route.split(' ') as [string, string]
      const { status, headers } = await send(method, path)
      expect([route, status]).toEqual([route, 401])
      const challenge = [headers['www-authenticate'] ?? ''].flat().join(', ')
      const scheme = auth === 'apiKey' ? 'ApiKey' : 'Bearer'
      expect([route, challenge]).toEqual([route, expect.stringMatching(`^${scheme} realm="Patio"`)])
    })
  })
})

test('URLs outside the contract also support HEAD, and refuse other methods', async () => {
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/api/openapi.json',
    '/api/external/v1/openapi.json',
    '/docs',
    '/api/auth/methods',
    '/api/auth/get-session',
  ]) {
    const [head, get] = [await send('HEAD', path), await send('GET', path)]
    expect([path, head.status]).toEqual([path, get.status])
    const { status, headers } = await send('DELETE', path)
    expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD'])
  }
  const { status, headers } = await send('GET', '/api/auth/sign-in/email')
  expect([status, headers.allow]).toEqual([405, 'POST'])
})

test('an unknown URL is 404 for every method', async () => {
  for (const method of everyMethod)
    for (const path of ['/api/nowhere', '/api/external/v1/nowhere', '/api/auth/nowhere', '/nowhere']) {
      const { status, text } = await send(method, path)
      expect([method, path, status]).toEqual([method, path, 404])
      if (method === 'HEAD') continue
      expect(JSON.parse(text)).toEqual({
        statusCode: 404,
        error: 'Not Found',
        message: 'There is nothing at this URL.',
      })
    }
})

test('a browser that opens an unknown address gets a page in its language, except below /api (DSH-29)', async () => {
  const browser = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en' }
  for (const path of ['/nowhere', '/portal', '/s/nothing/here']) {
    const { status, headers, text } = await send('GET', path, browser)
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8'])
    expect([path, text]).toEqual([path, expect.stringContaining('There is nothing at this address')])
  }
  const spanish = await send('GET', '/nowhere', { ...browser, 'accept-language': 'es' })
  expect(spanish.text).toContain('No hay nada en esta dirección')
  const program = await send('GET', '/api/nowhere', browser)
  expect([program.status, program.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
})

test('CORS preflights work, and other OPTIONS requests are 405', async () => {
  const path = '/api/external/v1/leads'
  const preflight = await send('OPTIONS', path, {
    origin: 'https://app.example.com',
    'access-control-request-method': 'GET',
  })
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
  const bare = await send('OPTIONS', path)
  expect([bare.status, new Set(String(bare.headers.allow).split(', '))]).toEqual([405, methods.get(path)])
})
