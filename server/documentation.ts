import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import { openApiDocument } from './openapi.ts'
import { HtmlPage, html } from './platform/http/html-page.ts'
import { inThread } from './platform/threads.ts'
import { documentId, referenceDocument } from './reference/reference-document.ts'
import type { readScalarScript, ScalarScript } from './reference/scalar-script.ts'

/**
 * Serves `/api/openapi.json`, the document for applications at `/api/external/v1/openapi.json`, and a
 * reference page at `/docs` that works offline.
 */
export function documentation(contracts: readonly Operation[], publicUrl: string, headerPrefix?: string) {
  // created on the first request, because they are some megabytes
  const makeDocument = () => openApiDocument(contracts, publicUrl, { headerPrefix })
  let document: string | undefined
  let forApplications: string | undefined
  let reference: string | undefined
  return async function routes(app: FastifyInstance): Promise<void> {
    const cached = { config: { hasEntityTag: true } }
    app.get('/api/openapi.json', cached, async (_request, reply) => {
      document ??= JSON.stringify(makeDocument())
      return sendJson(reply, document)
    })
    app.get('/api/external/v1/openapi.json', cached, async (_request, reply) => {
      forApplications ??= JSON.stringify(
        openApiDocument(contracts, publicUrl, { headerPrefix, audience: 'applications' }),
      )
      return sendJson(reply, forApplications)
    })
    app.get('/docs', async (_request, reply) =>
      reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page),
    )
    app.get('/docs/document.json', cached, async (_request, reply) => {
      reference ??= JSON.stringify(referenceDocument(makeDocument()))
      return sendJson(reply, reference)
    })
    const start = startAt(publicUrl)
    app.get('/docs/start.js', async (_request, reply) => reply.type(javaScript).send(start))
    app.get('/docs/scalar.js', sendScalar)
  }
}

function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').header('Cache-Control', 'no-cache').send(text)
}

const javaScript = 'text/javascript; charset=utf-8'
const unzip = promisify(gunzip)

let scalarScript: Promise<ScalarScript> | undefined

/** Sends the page's script, which is 4 MB, compressed if the browser accepts it. */
async function sendScalar(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  scalarScript ??= inThread<typeof readScalarScript>(
    new URL('./reference/scalar-script.ts', import.meta.url),
    'readScalarScript',
    undefined as never,
  )
  // retry after a failure
  scalarScript.catch(() => {
    scalarScript = undefined
  })
  const { brotli, gzip, version } = await scalarScript
  const tag = `W/"${version}"`
  reply.headers({ 'cache-control': 'public, max-age=86400', etag: tag, vary: 'Accept-Encoding' })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  const encoding = negotiate(request.headers['accept-encoding'] ?? 'identity', ['br', 'gzip', 'identity'])
  reply.type(javaScript)
  if (encoding === 'br') return reply.header('content-encoding', 'br').send(Buffer.from(brotli))
  if (encoding === 'gzip') return reply.header('content-encoding', 'gzip').send(Buffer.from(gzip))
  return reply.send(await unzip(gzip))
}

/** The page at `/` of a server without a dashboard. */
export const frontPage = new HtmlPage({
  language: 'en',
  title: 'Patio',
  body: html`<p>This server is running. Use its API with an account of your organization or with the key of an application.</p>
<h2>For developers</h2>
<ul>
<li><a href="/docs">API reference</a>: read, search and try every operation</li>
<li><a href="/docs#tag/sign-in">Sign in</a>: how to get a token</li>
<li><a href="/api/openapi.json">OpenAPI document</a>: for tools and client generators</li>
<li><a href="/api/external/v1/openapi.json">OpenAPI document for applications</a>: only the operations for API keys, a third of the size</li>
</ul>
<h2>For everybody</h2>
<ul>
<li><a href="/verify">Verify a signed PDF</a>: see who signed it and whether it was changed</li>
</ul>
<h2>For the operator of this server</h2>
<ul>
<li><a href="/readyz">Health</a>: whether the server can answer requests</li>
</ul>
<p>The guides are in the folder <code>docs/guides</code> of the source.</p>`,
})

// Scalar sets styles inline; scripts come from this server only
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
}
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Patio API</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%231b5e3b'/%3E%3Cpath d='M5 13V3h3.5a3 3 0 0 1 0 6H5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E">
<link rel="preload" href="/docs/document.json" as="fetch" crossorigin>
<div id="reference"></div>
<noscript>This page needs JavaScript. Every operation is also in the <a href="/api/openapi.json">OpenAPI document</a>.</noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</html>
`

// the menu only offers curl, JavaScript and Python: forty clients make each operation slower to show
const otherLanguages =
  'c clojure csharp dart fsharp go http java julia kotlin node objc ocaml php powershell r ruby rust swift'.split(
    ' ',
  )
/**
 * The first rule keeps the page fast. Scalar renders each operation near the visible part of the page, and
 * keeps it. A placeholder that is not displayed is never near, so Scalar renders an operation only when a
 * person opens it.
 */
const styles = `
.tag-section-container [data-placeholder=true] { display: none }
section[tabindex='-1']:focus-visible { outline: none }
body.light-mode { --scalar-color-2: #666; --scalar-color-3: #6e6e6e; --scalar-color-green: #00754a; --scalar-color-blue: #0068ad; --scalar-color-yellow: #8a6100; --scalar-color-red: #c40000; --scalar-color-orange: #b04000 }
body.dark-mode { --scalar-color-3: #8f8f8f; --scalar-color-red: #ff6b5e }
@media (max-width: 480px) { .scalar-reference-intro-auth [data-testid=auth-indicator] { display: none } }
`
// no connection to Scalar's services: no proxy, fonts, assistant or registration
const settings = {
  url: '/docs/document.json',
  // Scalar's name of the document, the prefix of navigation ids
  slug: documentId,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  hideModels: true,
  defaultOpenFirstTag: false,
  expandAllParameters: false,
  customCss: styles,
  hiddenClients: {
    ...Object.fromEntries(otherLanguages.map(language => [language, true])),
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
    shell: ['httpie', 'wget'],
  },
}
/** The page may only call its own origin, so on another origin it redirects to PUBLIC_URL. */
const startAt = (publicUrl: string) => `const home = ${JSON.stringify(publicUrl)}
if (location.origin !== home) location.replace(home + location.pathname + location.hash)
else Scalar.createApiReference('#reference', ${JSON.stringify(settings)})
`
