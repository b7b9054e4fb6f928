import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtFolder, builtFromFile, isDashboardBuildRunning } from './dashboard-build.ts'
import { frontPage } from './documentation.ts'
import { fail } from './platform/fail.ts'
import { HtmlPage, html } from './platform/http/html-page.ts'
import type { Log } from './platform/log.ts'

export type DashboardOptions = {
  /** Whether this server has a dashboard (the setting DASHBOARD). */
  isOn: boolean
  /** Whether `npm start` began a build beside this process, so that pages ask people to wait for its end. */
  isBuilding: boolean
  /** The folder that `npm run build` writes. */
  folder?: string
  /** Whether to serve the book, which shows every part of the screens. Only for tests. */
  hasBook?: boolean
  log: Log
}

/** The addresses of the dashboard. The browser routes everything below them. */
const pages = [
  '/',
  '/o/*',
  '/me',
  '/me/*',
  '/operator',
  '/operator/*',
  '/sign-in',
  '/reset-password',
  '/accept-invitation',
]

/** The licences of the packages of others. */
const noticesFile = 'third-party-notices.txt'

/** The files of the screen at an address of the router, such as `/o/$organization/leads`. */
type ScreenFiles = { path: string; files: readonly string[] }

/** A build of the dashboard: its pages, and which encodings each file has. */
type Build = {
  index: string
  book: string
  /** The links to the files of the screen at an address, for the header `Link`. */
  screenLinks(path: string): readonly string[]
  files: ReadonlyMap<string, readonly string[]>
  /** Undefined if the build has no such file. */
  noticesEncodings: readonly string[] | undefined
}

/**
 * Serves the built dashboard: its page at each of its addresses with a fresh style nonce, and its files for a
 * year, because their names carry their digest (DSH-1 to DSH-4). Without a build, the page says what to do.
 */
export function dashboard({
  isOn,
  isBuilding,
  folder = builtFolder,
  hasBook = false,
  log,
}: DashboardOptions) {
  let build = isOn ? readBuild(folder) : undefined
  if (isOn && !build && !isBuilding)
    log.warn('the dashboard is not built: run npm run build, or set DASHBOARD=off')

  function currentBuild(): Build | undefined {
    build ??= isOn ? readBuild(folder) : undefined
    return build
  }

  function page(name: 'index' | 'book') {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      // asked first: a build that ends in between is then found
      const mustWait = isBuilding && isDashboardBuildRunning(folder)
      const current = currentBuild()
      if (current) {
        const links = name === 'index' ? firstLinks(request, current) : []
        if (links.length > 0) reply.header('link', links.join(', '))
        return sendPage(reply, current[name])
      }
      if (isOn && mustWait) return waitPage.send(reply)
      return frontPage.send(reply)
    }
  }

  return async function routes(app: FastifyInstance): Promise<void> {
    for (const path of pages) app.get(path, page('index'))
    if (hasBook) app.get('/book', page('book'))
    app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
      const { name } = request.params
      const encodings = currentBuild()?.files.get(name)
      if (!encodings) fail('NOT_FOUND')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendFile(request, reply, join(folder, 'assets', name), encodings)
    })
    app.get(`/${noticesFile}`, async (request, reply) => {
      const encodings = currentBuild()?.noticesEncodings ?? fail('NOT_FOUND')
      reply.header('cache-control', 'no-cache')
      return sendFile(request, reply, join(folder, noticesFile), encodings)
    })
  }
}

/** Sends a file of the build in the best of its encodings that the client accepts. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  encodings: readonly string[],
): Promise<FastifyReply> {
  const encoding = negotiate(request.headers['accept-encoding'] ?? 'identity', [...encodings])
  const isCompressed = encoding === 'br' || encoding === 'gzip'
  const bytes = await readFile(isCompressed ? `${path}${suffixes[encoding]}` : path)
  if (isCompressed) reply.header('content-encoding', encoding)
  return reply.header('vary', 'Accept-Encoding').type(typeOf(path)).send(bytes)
}

const suffixes = { br: '.br', gzip: '.gz' } as const
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
}

function typeOf(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

/** Reads what was built; undefined before the first build has ended. */
function readBuild(folder: string): Build | undefined {
  try {
    readFileSync(join(folder, builtFromFile))
    const names = new Set(readdirSync(join(folder, 'assets')))
    const pages = new Set(readdirSync(folder))
    const originals = [...names].filter(name => !/\.(br|gz)$/.test(name))
    const index = readFileSync(join(folder, 'index.html'), 'utf8')
    const screens = JSON.parse(readFileSync(join(folder, 'screens.json'), 'utf8')) as readonly ScreenFiles[]
    return {
      index,
      screenLinks: linksByScreen(index, screens),
      book: readFileSync(join(folder, 'book.html'), 'utf8'),
      files: new Map(originals.map(name => [name, encodingsOf(name, names)])),
      noticesEncodings: pages.has(noticesFile) ? encodingsOf(noticesFile, pages) : undefined,
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function encodingsOf(name: string, names: ReadonlySet<string>): string[] {
  const compressed = (['br', 'gzip'] as const).filter(encoding => names.has(`${name}${suffixes[encoding]}`))
  return [...compressed, 'identity']
}

/**
 * The links that make a browser load the files of the screen beside the first script, and the first reads of an organization beside
 * the files. Without the cookie of a sign-in, the reads would only be refused, and the address leads to the sign-in.
 */
function firstLinks({ url, headers }: FastifyRequest, { screenLinks }: Build): readonly string[] {
  const [path = '/'] = url.split(/[?#]/)
  const isPublic = /^\/(sign-in|reset-password|accept-invitation)$/.test(path)
  if (isPublic || !headers.cookie?.includes('session_token='))
    return screenLinks(isPublic ? path : '/sign-in')
  const [, address] = /^\/o\/([\w-]+)(?=\/|$)/.exec(path) ?? []
  const reads =
    address === undefined ? [] : ['/api/auth/organizations', `/api/auth/token?organization=${address}`]
  return [
    ...reads.map(read => `<${read}>; rel=preload; as=fetch; crossorigin`),
    ...screenLinks(path === '/' ? '/o/-' : path),
  ]
}

/** Finds the links of the screen at an address: first the files of the page, which all others wait for. */
function linksByScreen(page: string, screens: readonly ScreenFiles[]): (path: string) => readonly string[] {
  const pageFiles = [...page.matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file)
  const known = screens.map(({ path, files }) => ({
    address: new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}/?$`),
    parameters: path.split('$').length,
    links: [...pageFiles, ...files].map(file =>
      file.endsWith('.css')
        ? `</${file}>; rel=preload; as=style; crossorigin`
        : `</${file}>; rel=modulepreload`,
    ),
  }))
  // an address without parameters before one that has them
  known.sort((one, other) => one.parameters - other.parameters)
  return path => known.find(({ address }) => address.test(path))?.links ?? []
}

/** The nonce allows the style elements that the page adds; scripts come from files of this server only. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  return reply
    .headers({ 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page.replace('nonce=""', `nonce="${nonce}"`).replace('content="" ', `content="${nonce}" `))
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    'frame-src blob:',
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types patio-worker',
  ].join('; ')
}

// a page without a script that reloads itself until the build has ended
const waitPage = new HtmlPage({
  language: 'en',
  title: 'Patio is getting ready',
  body: html`<meta http-equiv="refresh" content="1"><p>The dashboard is being built. This page opens it in a few seconds.</p>
<p>The API already answers: <a href="/docs">API reference</a>.</p>`,
  headers: { 'cache-control': 'no-store' },
})
