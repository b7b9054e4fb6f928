import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCaptured, defined } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('the start page links to existing pages', async () => {
  const answer = await fetch(server.url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const page = await answer.text()
  expect(page.match(/<h1>/g)).toHaveLength(1)
  // the icon is part of the page
  const links = allCaptured(/href="(?!data:)([^"]+)"/g, page)
  expect(links).toEqual(
    expect.arrayContaining(['/docs', '/api/openapi.json', '/api/external/v1/openapi.json', '/verify']),
  )
  // a link leads to the readiness check, which a busy machine can fail for a moment
  await expect
    .poll(() => Promise.all(links.map(async link => (await fetch(server.url + link)).status)), {
      timeout: 30_000,
    })
    .toEqual(links.map(() => 200))
})

test('the OpenAPI document is minified, and compressed to a quarter', async () => {
  const answer = await fetch(`${server.url}/api/openapi.json`, { headers: { 'accept-encoding': 'gzip' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.get('etag')).toMatch(/^W\/"/)
  const text = await answer.text()
  expect(text).toBe(JSON.stringify(JSON.parse(text)))
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 4)
})

test('the navigation of the reference lists every operation and webhook once', async () => {
  type Node = { ref?: string; children?: Node[] }
  const document = (await (await fetch(`${server.url}/docs/document.json`)).json()) as Record<
    string,
    object
  > & {
    'x-scalar-navigation': Node
  }
  const refsOf = ({ ref, children = [] }: Node): string[] => [
    ...(ref ? [ref] : []),
    ...children.flatMap(refsOf),
  ]
  const refs = refsOf(document['x-scalar-navigation'])
  const wanted = ['paths', 'webhooks'].flatMap(section =>
    Object.entries(document[section] as Record<string, object>).flatMap(([name, methods]) =>
      Object.keys(methods).map(method => `#/${section}/${name.replaceAll('/', '~1')}/${method}`),
    ),
  )
  expect(refs.toSorted()).toEqual(wanted.toSorted())
})

test('the reference describes the errors of every operation once, in the introduction, and keeps those of a single one', async () => {
  type Document = {
    info: { description: string }
    paths: Record<string, Record<string, { responses: Record<string, object> }>>
  }
  const read = async (path: string) => (await (await fetch(server.url + path)).json()) as Document
  const [published, reference] = await Promise.all([read('/api/openapi.json'), read('/docs/document.json')])
  const responsesOf = ({ paths }: Document) =>
    Object.values(paths).flatMap(methods => Object.values(methods).map(({ responses }) => responses))
  const asset = ({ paths }: Document) =>
    Object.keys(defined(defined(paths['/api/studio/assets/{id}/archive']).post).responses)
  expect(asset(published)).toEqual(['201', '401', '403', '404', '429', 'default'])
  expect(asset(reference)).toEqual(['201', '403', '404'])
  expect(responsesOf(reference).filter(responses => Object.keys(responses).length === 0)).toEqual([])
  expect(reference.info.description.startsWith(published.info.description)).toBe(true)
  for (const text of ['**401**', 'RATE_LIMIT_EXCEEDED', '- `INSUFFICIENT_SCOPE`: The application lacks'])
    expect(reference.info.description).toContain(text)
})

test('the script of the reference is compressed and cached', async () => {
  const get = (headers: Record<string, string>) => fetch(`${server.url}/docs/scalar.js`, { headers })
  const brotli = await get({ 'accept-encoding': 'br, gzip' })
  expect(brotli.headers.get('content-encoding')).toBe('br')
  expect(brotli.headers.get('cache-control')).toBe('public, max-age=86400')
  expect(Number(brotli.headers.get('content-length'))).toBeLessThan(1_100_000)
  const text = await brotli.text()
  expect(text).toContain('createApiReference')
  for (const encoding of ['gzip', 'identity'])
    expect((await (await get({ 'accept-encoding': encoding })).text()) === text).toBe(true)
  const again = await get({ 'accept-encoding': 'br', 'if-none-match': defined(brotli.headers.get('etag')) })
  expect([again.status, await again.text()]).toEqual([304, ''])
})
