/**
 * `npm run dev`: a server that restarts when its sources change, and in front of it, on the usual port, Vite with
 * the dashboard, which updates in the browser as it is edited. Vite hands every request that is not for the
 * dashboard to the server with its Host and Origin, so cookies behave as in production.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'
import { contractModules } from '#contract/modules.ts'
import { type AuthKind, isOperation, pathAt } from '#contract/operation.ts'

const root = join(import.meta.dirname, '..')
const port = Number(process.env.PORT ?? 4000)
const serverPort = port + 1
const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${port}`
const watched = ['server', 'contract', 'migrations'].map(folder => `--watch-path=${folder}`)

const server = spawn(
  process.execPath,
  ['--watch', ...watched, '--watch-preserve-output', 'server/main.mjs', 'up'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: String(serverPort), PUBLIC_URL: publicUrl, DASHBOARD: 'off' },
  },
)
server.once('exit', code => process.exit(code ?? 1))

const vite = await createServer({
  configFile: join(root, 'dashboard/build/vite.config.ts'),
  server: {
    port,
    strictPort: true,
    host: '127.0.0.1',
    fs: { allow: [root] },
    proxy: Object.fromEntries(
      [...serverPaths()].map(path => [`^/${path}(/|\\?|$)`, { target: `http://127.0.0.1:${serverPort}` }]),
    ),
  },
})
await vite.listen()
process.stdout.write(`The dashboard is at http://localhost:${port}, and updates while you edit it.\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    server.kill(signal)
    void vite.close()
  })

/** The first segments of the paths that the server answers. */
function serverPaths(): Set<string> {
  const operations = contractModules.flatMap(module => Object.values(module)).filter(isOperation)
  const paths = operations.flatMap(operation =>
    Object.keys(operation.auth).map(kind => pathAt(kind as AuthKind, operation)),
  )
  const segments = paths.map(path => path.split('/')[1] ?? '').filter(segment => !segment.startsWith(':'))
  return new Set([...segments, 'docs', 'healthz', 'readyz', 'metrics'])
}
