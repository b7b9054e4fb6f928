import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { failOnContractBreach } from '#platform/http/contract-check.ts'
import { openLog } from '#platform/log.ts'
import { openMetrics } from '#platform/metrics.ts'
import { allCaptured, defined, itemAt } from '#tests/support/elements.ts'
import { buildApp } from './app.ts'
import { type DashboardOptions, dashboard } from './dashboard.ts'

const repository = join(import.meta.dirname, '..')
const script = `export const greeting = '${'hello '.repeat(500)}'`
const screens = [
  { path: '/sign-in', files: ['assets/sign-in.js'] },
  { path: '/o/$organization', files: ['assets/home.js'] },
  { path: '/o/$organization/leads/$leadId', files: ['assets/lead.css', 'assets/lead.js'] },
  { path: '/o/$organization/leads/board', files: ['assets/board.js'] },
]
const font = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0, 1, 2, 3])
const endings: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (let end = endings.pop(); end; end = endings.pop()) await end()
})

/** A folder as `npm run build` leaves it, after two builds. */
function builtFolder(): string {
  const folder = emptyFolder()
  completeBuild(folder)
  return folder
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'patio-dashboard-'))
  endings.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function completeBuild(folder: string): void {
  const assets = join(folder, 'assets')
  mkdirSync(assets)
  const page = readFileSync(join(repository, 'dashboard/index.html'), 'utf8')
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'book.html'), page.replace('<title>Patio', '<title>The book'))
  writeFileSync(join(folder, 'manifest.json'), '{}')
  writeFileSync(join(folder, 'screens.json'), JSON.stringify(screens))
  for (const name of ['index-B.js', 'index-A.js', 'index-B.css', 'icon-B.svg']) {
    writeFileSync(join(assets, name), script)
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(script))
    writeFileSync(join(assets, `${name}.gz`), gzipSync(script))
  }
  writeFileSync(join(assets, 'font-B.woff2'), font)
  writeFileSync(join(folder, 'third-party-notices.txt'), script)
  writeFileSync(join(folder, 'third-party-notices.txt.br'), brotliCompressSync(script))
  writeFileSync(join(folder, '.built-from'), 'digest')
}

type ServedDashboard = { paths: string[]; get: typeof ask; log(): string }
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** The HTTP server of the product with the dashboard and no operation. */
async function serve(options: Partial<DashboardOptions>): Promise<ServedDashboard> {
  const lines: string[] = []
  const log = openLog('warn', 'test', { write: line => void lines.push(line) })
  const paths: string[] = []
  const app: FastifyInstance = await buildApp({
    log,
    // no operation asks for it
    admission: {} as never,
    served: [],
    contractCheck: failOnContractBreach(),
    metrics: openMetrics(),
    trustProxy: false,
    isReady: async () => true,
    plugins: [
      async app => {
        app.addHook('onRoute', ({ method, url }) => {
          if (method === 'GET' && !url.startsWith('/assets/')) paths.push(url)
        })
        await dashboard({ isOn: true, isBuilding: false, log, ...options })(app)
      },
    ],
  })
  endings.push(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    paths,
    get: (path, given) => ask(`${address}${path}`, given),
    log: () => lines.join(''),
  }
}

/** Sends the path as it is: fetch would resolve `..` in it. */
function ask(url: string, { method = 'GET', headers = {} as Record<string, string> } = {}): Promise<Answer> {
  const { hostname, port, origin } = new URL(url)
  const path = url.slice(origin.length)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, response => {
      const pieces: Buffer[] = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () =>
        resolve({
          status: defined(response.statusCode),
          headers: response.headers,
          body: Buffer.concat(pieces),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

const nonceIn = (policy: unknown) => /'nonce-([\w-]{22})'/.exec(String(policy))?.[1]

test('the page is served at the addresses of the specification, and at no other (DSH-1)', async () => {
  const spec = readFileSync(join(repository, 'docs/spec/dashboard.md'), 'utf8')
  const [rule = ''] = /- \*\*DSH-1\*\*[\s\S]*?\n(?=- )/.exec(spec) ?? []
  const specified = allCaptured(/`(\/[^`]*)`/g, rule)
  expect(specified).toHaveLength(9)

  const { paths, get } = await serve({ folder: builtFolder() })
  expect(paths.filter(path => path !== '/third-party-notices.txt').toSorted()).toEqual(specified.toSorted())
  for (const path of specified) {
    const { status, body } = await get(path.replace('*', 'acme/settings?tab=1'))
    expect([path, status, body.includes('<div id="root">')]).toEqual([path, 200, true])
  }
  for (const path of ['/o', '/operators', '/sign-in/email', '/book', '/index.html', '/.built-from'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
})

test('the page names the files of its screen, and what an organization reads first, to people who are signed in (DSH-1)', async () => {
  const { get } = await serve({ folder: builtFolder() })
  const cookie = '__Host-patio.session_token=abc'
  const links = async (path: string, headers = {}) => (await get(path, { headers })).headers.link
  const reads = [
    '</api/auth/organizations>; rel=preload; as=fetch; crossorigin',
    '</api/auth/token?organization=acme-studio>; rel=preload; as=fetch; crossorigin',
  ]
  const script = (name: string) => `</assets/${name}.js>; rel=modulepreload`
  const style = (name: string) => `</assets/${name}.css>; rel=preload; as=style; crossorigin`
  expect(await links('/o/acme-studio', { cookie })).toBe([...reads, script('home')].join(', '))
  const lead = [...reads, style('lead'), script('lead')].join(', ')
  expect(await links('/o/acme-studio/leads/l1?open=1', { cookie })).toBe(lead)
  expect(await links('/o/acme-studio/leads/board', { cookie })).toBe([...reads, script('board')].join(', '))
  // the last organization, whose address the browser knows
  expect(await links('/', { cookie })).toBe(script('home'))
  expect(await links('/o/acme-studio/unknown', { cookie })).toBe(reads.join(', '))
  expect(await links('/me', { cookie })).toBeUndefined()

  expect(await links('/o/acme-studio')).toBe(script('sign-in'))
  expect(await links('/o/acme-studio', { cookie: 'theme=dark' })).toBe(script('sign-in'))
  expect(await links('/sign-in', { cookie })).toBe(script('sign-in'))
  expect(await links('/o/%3E%3Bx', { cookie })).toBe(script('home'))
})

test('the files of the page itself come before those of its screen (DSH-1)', async () => {
  const folder = builtFolder()
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const files =
    '<script type="module" crossorigin src="/assets/index-B.js"></script><link rel="stylesheet" crossorigin href="/assets/index-B.css">'
  writeFileSync(join(folder, 'index.html'), page.replace('</head>', `${files}</head>`))
  const { get } = await serve({ folder })
  const { link } = (await get('/sign-in')).headers
  expect([...String(link).matchAll(/assets\/([^>]+)/g)].map(([, name]) => name)).toEqual([
    'index-B.js',
    'index-B.css',
    'sign-in.js',
  ])
})

test('the policy of the page names a fresh nonce each time and is otherwise exactly that of DSH-3', async () => {
  const { get } = await serve({ folder: builtFolder() })
  const answers = [await get('/'), await get('/'), await get('/o/acme')]
  const nonces = answers.map(({ headers }) => defined(nonceIn(headers['content-security-policy'])))
  expect(new Set(nonces).size).toBe(3)
  for (const [at, { headers, body }] of answers.entries()) {
    const nonce = itemAt(nonces, at)
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; style-src-attr 'none'; ` +
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src blob:; worker-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
        'trusted-types patio-worker',
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(body.toString()).toContain(`<meta property="csp-nonce" content="${nonce}" nonce="${nonce}">`)
  }
})

test('the licences of others are a text, which a client asks for again after an upgrade (DSH-27)', async () => {
  const { get } = await serve({ folder: builtFolder() })
  const { status, headers, body } = await get('/third-party-notices.txt', {
    headers: { 'accept-encoding': 'br' },
  })
  expect([status, headers['content-type'], headers['content-encoding'], headers['cache-control']]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'br',
    'no-cache',
  ])
  expect(brotliDecompressSync(body).toString()).toBe(script)
  expect((await (await serve({ folder: emptyFolder() })).get('/third-party-notices.txt')).status).toBe(404)
})

test('files are immutable, have their type, and come in the best encoding that the client accepts (DSH-2)', async () => {
  const { get } = await serve({ folder: builtFolder() })
  const decoded = async (path: string, accepted?: string) => {
    const { status, headers, body } = await get(path, {
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    })
    const encoding = headers['content-encoding']
    expect(status).toBe(200)
    expect(Number(headers['content-length'])).toBe(body.length)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers.vary).toBe('Accept-Encoding')
    const text =
      encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    return { encoding, type: headers['content-type'], text }
  }
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['zstd', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    const file = await decoded('/assets/index-B.js', accepted)
    expect([accepted, file.encoding]).toEqual([accepted, encoding])
    expect(file.text.toString()).toBe(script)
  }
  expect((await decoded('/assets/index-B.js')).type).toBe('text/javascript; charset=utf-8')
  expect((await decoded('/assets/index-B.css', 'br')).type).toBe('text/css; charset=utf-8')
  expect((await decoded('/assets/icon-B.svg', 'br')).type).toBe('image/svg+xml')
  const woff = await decoded('/assets/font-B.woff2', 'br, gzip')
  expect(woff).toEqual({ encoding: undefined, type: 'font/woff2', text: font })
  expect((await decoded('/assets/index-A.js')).text.toString(), 'a file of the build before').toBe(script)
})

test('HEAD has the headers of GET without a body', async () => {
  const { get } = await serve({ folder: builtFolder() })
  const changing = (headers: IncomingHttpHeaders) => {
    const { date: _date, 'x-request-id': _id, 'content-security-policy': _policy, ...rest } = headers
    return rest
  }
  for (const path of ['/', '/assets/index-B.js', '/assets/font-B.woff2']) {
    const headers = { 'accept-encoding': 'br' }
    const [whole, head] = [await get(path, { headers }), await get(path, { method: 'HEAD', headers })]
    expect(head.status).toBe(200)
    expect(head.body).toHaveLength(0)
    expect(changing(head.headers)).toEqual(changing(whole.headers))
  }
})

test('nothing but the files of the build can be read, and only read', async () => {
  const { get } = await serve({ folder: builtFolder() })
  for (const path of [
    '/assets/index-C.js',
    '/assets/',
    '/assets/..%2findex.html',
    '/assets/..%2f.built-from',
    '/assets/%2e%2e%2fmanifest.json',
    '/assets/..%5cindex.html',
    '/assets/../index.html',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/assets/%2fetc%2fpasswd',
    '/assets/index-B.js%00',
    '/assets/sub/index-B.js',
    '/assets/index-B.js.br',
    '/assets/index-B.js.gz',
    '/assets/constructor',
  ]) {
    const { status, headers, body } = await get(path)
    expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-store'])
    expect(JSON.parse(body.toString())).toMatchObject({ statusCode: 404, error: 'Not Found' })
  }
  for (const path of ['/', '/o/acme', '/assets/index-B.js'])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await get(path, { method })
      expect([path, method, status, headers.allow]).toEqual([path, method, 405, 'GET, HEAD'])
    }
})

test('while the build of npm start runs, people wait; then the page and its files are there (DSH-4)', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, '.building'), '')
  const { get, log } = await serve({ folder, isBuilding: true })
  const waiting = await get('/o/acme')
  expect(waiting.status).toBe(200)
  expect(waiting.headers['cache-control']).toBe('no-store')
  expect(waiting.body.toString()).toContain('<meta http-equiv="refresh" content="1">')
  expect((await get('/assets/index-B.js')).status).toBe(404)
  completeBuild(folder)
  expect((await get('/assets/index-B.js')).status, 'before anybody opened the page').toBe(200)
  expect((await get('/o/acme')).body.toString()).toContain('<div id="root">')
  expect(log()).toBe('')
})

test('after a build that failed nobody waits', async () => {
  const { get } = await serve({ folder: emptyFolder(), isBuilding: true })
  const { status, body } = await get('/')
  expect(status).toBe(200)
  expect(body.toString()).not.toContain('http-equiv="refresh"')
  expect(body.toString()).toContain('href="/docs"')
})

test('a process without a build warns once and serves the start page, until there is a build', async () => {
  const folder = emptyFolder()
  const { get, log } = await serve({ folder })
  expect((await get('/o/acme')).body.toString()).toContain('href="/docs"')
  expect(log().match(/the dashboard is not built: run npm run build/g)).toHaveLength(1)
  completeBuild(folder)
  expect((await get('/o/acme')).body.toString()).toContain('<div id="root">')
})

test('DASHBOARD=off serves the start page and no file, though there is a build', async () => {
  const { get, log } = await serve({ folder: builtFolder(), isOn: false })
  expect((await get('/')).body.toString()).toContain('href="/docs"')
  expect((await get('/assets/index-B.js')).status).toBe(404)
  expect(log()).toBe('')
})

test('the book of the parts is served to tests alone', async () => {
  const { get } = await serve({ folder: builtFolder(), hasBook: true })
  expect((await get('/book')).body.toString()).toContain('<title>The book')
})
