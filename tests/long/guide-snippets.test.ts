import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeBlocks } from '#tests/support/shell.ts'

const root = join(import.meta.dirname, '../..')
// below the root, so that the types of Node are found
const folder = join(root, 'dist/guide-snippets')
beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync(process.execPath, [join(root, 'tools/sdk.ts'), join(folder, 'node_modules/@patio/sdk')])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The declarations of the reader's own program. */
const readersOwn = `
  declare const patio: import('@patio/sdk').Client
  declare const rawBody: Buffer
  declare const request: { headers: Record<string, string> }
  declare function answer(status: number): void
  declare function seenBefore(deliveryId: string): Promise<boolean>
  declare function read(path: string): Promise<{ content: string; author: { kind: string } } | undefined>
  declare function answerTo(message: { content: string }): string
  declare function publish(channelId: string, message: { content: string; parentMessageId: string }): Promise<void>
  declare const order: { id: string }
  declare const customer: { id: string }
  declare function pay(one: typeof order): Promise<void>
  declare function load(key: string): Promise<string | undefined>
  declare function save(key: string, value: string): Promise<void>
  declare function remove(id: string): Promise<void>
  declare function upsert(id: string, value: object): Promise<void>
  // what a browser gives for a passkey, which the types of the browser leave open
  interface Credential { toJSON(): object }
`

const pages = ['sdk/README.md', ...readdirSync(join(root, 'docs/guides')).map(name => `docs/guides/${name}`)]
const snippets = pages.flatMap(page => {
  const blocks = codeBlocks(readFileSync(join(root, page), 'utf8'))
  return blocks.filter(({ language }) => /^[tj]s$/.test(language)).map(block => ({ page, ...block }))
})

test.for(['ts', 'js'])('the %s of the guides fits the types of the SDK', language => {
  const place = join(folder, language)
  mkdirSync(place, { recursive: true })
  const chosen = snippets.filter(snippet => snippet.language === language)
  expect(chosen.length).toBeGreaterThanOrEqual(4)
  for (const [n, { page, text }] of chosen.entries())
    writeFileSync(join(place, `${n}-${page.replaceAll('/', '-')}.${language}`), inFunction(text))
  writeFileSync(join(place, 'own.d.ts'), readersOwn)
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    // plain JavaScript cannot say that a setting is there
    strict: language === 'ts',
    allowJs: true,
    checkJs: true,
    noEmit: true,
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }))
  writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module' }))
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', place], {
    encoding: 'utf8',
  })
  expect([stdout, status]).toEqual(['', 0])
})

/** A snippet may return, as in the function of a reader. Its imports stay outside. */
function inFunction(text: string): string {
  const lines = text.split('\n')
  const imports = lines.filter(line => line.startsWith('import '))
  const others = lines.filter(line => !line.startsWith('import '))
  return [...imports, 'export async function snippet() {', ...others, '}', ''].join('\n')
}
