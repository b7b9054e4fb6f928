import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { build, type Rolldown } from 'vite'
import { newId } from '#platform/ids.ts'

const rowCount = 50
const types = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8' }

/**
 * Builds and serves the least that a list in React can be: a page that asks for its rows once and shows them, from memory. It
 * says how much of a time of the dashboard is the browser's and the machine's.
 */
export async function servePlainPage(): Promise<{ url: string; close(): Promise<void> }> {
  const app = fastify()
  for (const { fileName, text } of await builtFiles()) {
    const isPage = fileName.endsWith('.html')
    const body = gzipSync(text, { level: 9 })
    app.get(isPage ? '/' : `/${fileName}`, (_request, reply) =>
      reply
        .type(isPage ? types.html : types.js)
        .header('cache-control', isPage ? 'no-cache' : 'public, max-age=31536000, immutable')
        .header('content-encoding', 'gzip')
        .send(body),
    )
  }
  app.get('/rows', () => rows)
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

const rows = Array.from({ length: rowCount }, (_, at) => ({
  id: newId(),
  name: `Somebody ${at}`,
  email: `somebody-${at}@example.test`,
  status: 'NEW',
  assignee: `Person ${at % 7}`,
  changed: `${1 + (at % 28)} November 2026`,
}))

async function builtFiles(): Promise<{ fileName: string; text: string }[]> {
  const { output } = (await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    build: { write: false },
  })) as Rolldown.RolldownOutput
  return output.map(file => ({
    fileName: file.fileName,
    text: file.type === 'chunk' ? file.code : String(file.source),
  }))
}
