import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { openApiDocument } from './openapi.ts'
import { html, Page } from './platform/page.ts'

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/**
 * `/api/openapi.json`, at `/docs` a reference page made of the package's own files, which works offline, and at `/` what a
 * person can open without an account.
 */
export function documentation(endpoints: readonly Endpoint[], publicUrl: string, headerPrefix?: string) {
  // made when it is first asked for: it is some megabytes
  let document: string | undefined
  return async function routes(app: FastifyInstance): Promise<void> {
    app.get('/api/openapi.json', { config: { hasEntityTag: true } }, async (_request, reply) => {
      document ??= JSON.stringify(openApiDocument(endpoints, publicUrl, headerPrefix))
      return reply.type('application/json; charset=utf-8').header('Cache-Control', 'no-cache').send(document)
    })
    const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
    await app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false })
    app.get('/', async (_request, reply) => front.send(reply))
    app.get('/docs', async (_request, reply) =>
      reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page),
    )
    const start = startAt(publicUrl)
    app.get('/docs/start.js', async (_request, reply) => reply.type('text/javascript').send(start))
    for (const name of assets) {
      await access(join(folder, name))
      app.get(`/docs/${name}`, async (_request, reply) =>
        reply.header('Cache-Control', 'public, max-age=86400').sendFile(name),
      )
    }
  }
}

const front = new Page({
  language: 'en',
  title: 'Patio',
  body: html`<h1>Patio</h1>
<p>This server is running. What you can open here:</p>
<ul>
<li><a href="/docs">Reference of the API</a>: read and try every operation</li>
<li><a href="/api/openapi.json">OpenAPI document</a>, for tools and generators</li>
<li><a href="/verify">Verify a signed PDF</a></li>
</ul>`,
})

// the page sets styles inline; scripts come from this server only
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
}
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Patio API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`
/** What is tried goes to the address that people use, and a page may reach its own only: seen at another, it moves. */
const startAt = (publicUrl: string) => `const home = ${JSON.stringify(publicUrl)}
if (location.origin !== home) location.replace(home + location.pathname + location.hash)
else SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', tryItOutEnabled: true, validatorUrl: null })
`
