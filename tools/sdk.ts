/**
 * `npm run build:sdk [-- folder]`: builds the package @patio/sdk from `sdk/` and the contract, as plain
 * JavaScript with types, for programs without our sources or a compiler. It contains the route and the types
 * of each operation, but not the schemas and their library.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TObject } from 'typebox'
import ts from 'typescript'
import { events } from '#contract/events.ts'
import { type ApplicationEventName, eventExamples } from '#contract/integrations/event-examples.ts'
import { type AuthKind, isOperation, type Operation, pathAt } from '#contract/operation.ts'
import { Type } from '#contract/type.ts'
import { routeOf } from './operation-route.ts'
import { docOf, typeOf } from './schema-types.ts'

const streamType = 'text/event-stream'
const root = join(import.meta.dirname, '..')
const folder = process.argv[2] ?? join(root, 'dist/sdk')
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const manifest = {
  name: '@patio/sdk',
  version,
  description: 'Client of a Patio server: typed calls, webhooks, error reports',
  license,
  type: 'module',
  engines: { node: '>=20' },
  sideEffects: false,
  exports: {
    '.': './index.js',
    './operations': './operations.js',
    './notices': { types: './notices.d.ts' },
    './vectors/*': './vectors/*',
    './package.json': './package.json',
  },
  bin: { 'patio-listen': 'patio-listen.js' },
}

rmSync(folder, { recursive: true, force: true })
for (const source of ['contract/route.ts', ...globSync('sdk/*.ts', { cwd: root })])
  if (!source.endsWith('.test.ts')) compile(source)
const areas = await contractModules()
for (const { module, operations } of areas) {
  put(
    `${module}.js`,
    operations
      .map(([name, contract]) => `export const ${name} = ${JSON.stringify(routeOf(contract))}\n`)
      .join('\n'),
  )
  put(
    `${module}.d.ts`,
    `import type { Route, StreamRoute } from '../route.js'\n\n${operations.map(([name, contract]) => declarationOf(name, contract)).join('\n')}`,
  )
}
for (const extension of ['js', 'd.ts'])
  put(`operations.${extension}`, areas.map(({ module }) => `export * from './${module}.js'\n`).join(''))
for (const [from, to] of [
  ['sdk/README.md', 'README.md'],
  ['sdk/vectors', 'vectors'],
  ['LICENSE', 'LICENSE'],
] as const)
  cpSync(join(root, from), join(folder, to), { recursive: true })
put('notices.d.ts', noticeTypes())
put('package.json', `${JSON.stringify(manifest, null, 2)}\n`)

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** A source as JavaScript and as declarations. Imports keep their names. */
function compile(source: string): void {
  const text = readFileSync(join(root, source), 'utf8')
  const target = source.replace(/^sdk\//, '').replace(/\.ts$/, '')
  const options = {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      strict: true,
      declaration: true,
    },
  }
  for (const [extension, { outputText, diagnostics = [] }] of [
    ['js', ts.transpileModule(text, options)],
    ['d.ts', ts.transpileDeclaration(text, options)],
  ] as const) {
    const [fault] = diagnostics
    if (fault) throw new Error(`${source}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`)
    put(
      `${target}.${extension}`,
      outputText.replace(
        /from '(\.|#contract)\/(.+)\.ts'/g,
        (_, from, name) => `from './${from === '.' ? '' : 'contract/'}${name}.js'`,
      ),
    )
  }
}

type Operations = [name: string, endpoint: Operation][]

/** The operations of each module of the contract. */
async function contractModules(): Promise<{ module: string; operations: Operations }[]> {
  const modules = globSync('contract/*/*.ts', { cwd: root }).sort()
  const found = await Promise.all(
    modules.map(async path => {
      const exported = Object.entries(await import(pathToFileURL(join(root, path)).href)) as Operations
      return {
        module: path.replace(/\.ts$/, ''),
        operations: exported.filter(([, one]) => isOperation(one)),
      }
    }),
  )
  const names = found.flatMap(({ operations }) => operations.map(([name]) => name))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`Two operations have the name ${twice}`)
  return found.filter(({ operations }) => operations.length > 0)
}

function declarationOf(name: string, contract: Operation): string {
  const { summary, description, method, auth, params, query, body, reply, alternateReply } = contract
  if (contract.responseType === streamType) return streamDeclarationOf(name, contract)
  const ways = Object.keys(auth).map(auth => `\`${method} ${pathAt(auth as AuthKind, contract)}\``)
  const input = [params, query, body].map(schema => (schema ? typeOf(schema, '  ') : '{}'))
  const replies = [reply, alternateReply?.reply].flatMap(schema => (schema ? [typeOf(schema)] : []))
  return [
    docOf([`${summary}. ${ways.join(', ')}`, description].filter(Boolean).join('\n\n')),
    `export declare const ${name}: Route<{\n  params: ${input[0]}\n  query: ${input[1]}\n  body: ${input[2]}\n}, `,
    `${replies.join(' | ') || 'void'}>\n`,
  ].join('')
}

/** A stream is opened with `openStream`, which sets the token in its URL; `call` does not accept it. */
function streamDeclarationOf(name: string, { summary, description, query }: Operation): string {
  const { properties = {} } = (query ?? {}) as Partial<TObject>
  const { token: _token, lastEventId: _lastEventId, ...own } = properties
  return [
    docOf([summary, description].filter(Boolean).join('\n\n')),
    `export declare const ${name}: StreamRoute<${typeOf(Type.Object(own))}>\n`,
  ].join('')
}

/** The bodies of webhooks: `WebhookNotice` is the union of all of them, discriminated by `event`. */
function noticeTypes(): string {
  const types = Object.entries(eventExamples).map(([name, { when }]) => {
    const data = typeOf(events[name as ApplicationEventName].data, '  ')
    return `${docOf(when, '  ')}  ${name}: ${data}\n`
  })
  return [
    `/** The data of each event, by name */\nexport type NoticeData = {\n${types.join('')}}\n\n`,
    '/** The body of a webhook, discriminated by `event` */\nexport type WebhookNotice = {\n',
    '  [Name in keyof NoticeData]: {\n    event: Name\n    timestamp: string\n    app: { id: string; slug: string }\n',
    '    data: NoticeData[Name]\n    meta: { schemaVersion: string }\n  }\n}[keyof NoticeData]\n',
  ].join('')
}
