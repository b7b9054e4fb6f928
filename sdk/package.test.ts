import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCaptured, defined } from '#tests/support/elements.ts'
import { listErrorsOf } from '#tests/support/error-reports/reports.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

const root = join(import.meta.dirname, '..')
// as in a shell of somebody else: with the node of this machine, not ours
const path = defined(process.env.PATH)
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
const env = {
  PATH: path.join(delimiter),
  HOME: tmpdir(),
  npm_config_cache: join(tmpdir(), 'patio-npm-cache'),
}

let folder: string
let project: string
let tarball: string
let server: TestServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patio-sdk-'))
  project = join(folder, 'project')
  mkdirSync(project)
  const opened = startTestServer()
  await run(process.execPath, [join(root, 'tools/sdk.ts'), join(folder, 'sdk')], root)
  const packed = await run('npm', ['pack', './sdk', '--json'], folder)
  tarball = join(folder, JSON.parse(packed)[0].filename)
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball])
  server = await opened
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(program: string, args: string[], cwd = project): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env }).catch(error => {
    throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`)
  })
  return stdout
}

test('the package is small and has no dependencies', () => {
  const inside = join(project, 'node_modules/@patio/sdk')
  expect(statSync(tarball).size).toBeLessThan(130_000)
  const files = globSync('**/*.*', { cwd: inside })
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'index.d.ts', 'vectors/webhook-signatures.json']),
  )
  expect(files.filter(file => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([])
  const imports = files
    .filter(file => /\.(js|d\.ts)$/.test(file))
    .flatMap(file =>
      allCaptured(/^(?:import|export|\}).* from '(.+)'/gm, readFileSync(join(inside, file), 'utf8')),
    )
  expect(imports.length).toBeGreaterThan(20)
  expect(imports.filter(from => !/^node:|^\.\.?\/.*\.js$/.test(from))).toEqual([])
  expect(globSync('*', { cwd: join(project, 'node_modules') })).toEqual(['@patio'])
})

test('plain JavaScript can call, report and verify with it', async () => {
  const organization = await server.organization()
  const app = await makeApplication(server, organization, {
    scopes: ['analytics:errors:write', 'analytics:errors:read'],
  })
  writeFileSync(
    join(project, 'program.js'),
    `import { CallError, connect, openErrorReporter, verifyWebhook } from '@patio/sdk'
     import { readOwnApplication, reportError } from '@patio/sdk/operations'
     import { readFileSync } from 'node:fs'

     const [url, apiKey] = process.argv.slice(2)
     const client = connect(url, { apiKey })
     const own = await client.call(readOwnApplication)
     const refused = await client.call(reportError, { body: { message: '', module: 'shop' } }).catch(error => error)
     const errors = openErrorReporter({ url, apiKey, module: 'shop' })
     errors.report(new Error('no total'))
     await errors.close()
     const vectors = new URL(import.meta.resolve('@patio/sdk/vectors/webhook-signatures.json'))
     const [{ body, headers, secrets, nowMs }] = JSON.parse(readFileSync(vectors)).vectors
     const { event } = verifyWebhook(body, headers, secrets, { nowMs })
     console.log(JSON.stringify([own.slug, refused instanceof CallError, refused.status, errors.dropped, event]))`,
  )
  const output = await run('node', ['program.js', server.url, app.key])
  expect(JSON.parse(output)).toEqual([app.slug, true, 400, 0, 'CHAT_MESSAGE_CREATED'])
  expect(await listErrorsOf(app)).toMatchObject([{ message: 'Error: no total', module: 'shop' }])
  const listen = ['patio-listen', '--url', server.url, '--to', 'http://127.0.0.1:9', '--key']
  await expect(run('npx', [...listen, 'patio_app_x'])).rejects.toThrow('Patio does not know this key')
})

test('the exports of the README exist', async () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  const blocks = allCaptured(/^```js\n([\s\S]*?)^```$/gm, readme)
  expect(blocks.length).toBe(5)
  for (const [at, block] of blocks.entries()) {
    writeFileSync(join(project, `block-${at}.js`), block)
    await run('node', ['--check', `block-${at}.js`])
    // what it imports is there, though what it does needs a server
    writeFileSync(join(project, 'imports.js'), (block.match(/^import .*$/gm) ?? []).join('\n'))
    await run('node', ['imports.js'])
  }
})

test('the types cover input and replies', async () => {
  writeFileSync(
    join(project, 'program.ts'),
    `import { connect, type Input, listAll, openStream, type Session, signIn, verifyWebhook } from '@patio/sdk'
     import type { WebhookNotice } from '@patio/sdk/notices'
     import { listAssets, listErrors, openCatalogStream, reportError, setWebhook } from '@patio/sdk/operations'

     const client = connect('http://localhost:4000', { apiKey: 'key' })
     const session: Session = await signIn('http://localhost:4000', { email: 'a@b.test', password: 'secret' })
     for await (const asset of listAll(session, listAssets)) asset.name satisfies string
     for await (const { event, data } of openStream(session, openCatalogStream)) [event, data] satisfies [string, object]
     // @ts-expect-error: a stream has no end to wait for
     await session.call(openCatalogStream)
     const body: Input<typeof reportError>['body'] = { message: 'no total', module: 'shop', severity: 'high' }
     const { deduplicated } = await client.call(reportError, { body })
     export const known: boolean = deduplicated
     const { errors } = await client.call(listErrors, { query: { severity: ['high'], limit: 5 } })
     export const times: string[] = errors.map(({ lastOccurrence }) => lastOccurrence)
     export const files: (string | null)[] = errors.map(({ file }) => file)
     const set = await client.call(setWebhook, { params: { id: 'c1' }, body: { url: 'https://a.test', events: [] } })
     export const secret: string | undefined = 'secret' in set ? set.secret : undefined
     export const { event }: { event: string } = verifyWebhook('', new Headers(), 'secret')
     export const textOf = (notice: WebhookNotice): string =>
       notice.event === 'ERROR_SPIKE' ? notice.data.observed.toFixed() : notice.event

     // @ts-expect-error: no such severity
     await client.call(reportError, { body: { message: '', module: '', severity: 'worst' } })
     // @ts-expect-error: no such field
     errors[0]?.stack
     // @ts-expect-error: not every notice has it
     export const observed = (notice: WebhookNotice) => notice.data.observed
     // @ts-expect-error: a module is needed
     await client.call(reportError, { body: { message: '' } })`,
  )
  await run('node', [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--strict',
    '--noEmit',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
    '--module',
    'nodenext',
    'program.ts',
  ])
})
