import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allCaptured, firstOf } from '#tests/support/elements.ts'
import { contractConsts, root } from './operations.ts'
import { operationsWithoutNeed } from './operations-without-screens.ts'

// they name operations of all areas: for the reads that a frame makes stale, and for who sees an entry
const namesOnly = ['dashboard/data/frames.rules.ts', 'dashboard/shell/navigation.ts']

/** The names of the contract that the code of the dashboard imports as values. */
function importedNames(): Set<string> {
  const files = globSync('dashboard/**/*.{ts,tsx}', { cwd: root }).filter(
    file => !/^dashboard\/(dist|book)\/|\.test\./.test(file) && !namesOnly.includes(file),
  )
  const imports = files.flatMap(file =>
    allCaptured(/^import \{([^}]*)\} from '#contract\//gm, readFileSync(join(root, file), 'utf8')),
  )
  const names = imports.flatMap(list => list.split(',').map(name => firstOf(name.trim().split(' as '))))
  return new Set(names.filter(name => !name.startsWith('type ')))
}

test('each operation of people, accounts and operators is called by a screen, or named with the reason', async () => {
  const operations = (await contractConsts())
    .filter(({ contract: { auth } }) => auth.session || auth.operator || auth.account)
    .map(({ name }) => name)
  const called = importedNames()
  const named = Object.keys(operationsWithoutNeed)
  expect(called).toContain('listMembers')
  expect(operations.filter(name => called.has(name) === named.includes(name))).toEqual([])
  // no name that the contract does not have
  expect(named.filter(name => !operations.includes(name))).toEqual([])
})

/** The largest size of one file of the build, in KB as gzip sends it. */
const most = { screen: 25, markdown: 43, 'text-editor': 115, fonts: 53 }

test('each screen is one small file, and the fonts of Spanish and English are within their size', () => {
  const dist = join(root, 'dashboard/dist')
  type Entry = { file: string; isDynamicEntry?: boolean }
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Entry>
  const kbOf = (file: string) => statSync(join(dist, file)).size / 1024
  const files = Object.entries(manifest)
    // the book is for tests, and no screen
    .filter(([name, { isDynamicEntry }]) => isDynamicEntry && !name.startsWith('book/'))
    .map(([name, { file }]) => ({ name, kb: kbOf(`${file}.gz`) }))
    .toSorted((one, other) => other.kb - one.kb)
  const fonts = Object.values(manifest).filter(({ file }) => /geist(-mono)?-latin-wght-/.test(file))
  const fontKb = fonts.reduce((sum, { file }) => sum + kbOf(file), 0)
  const largest = files.slice(0, 4).map(({ name, kb }) => `${name} ${kb.toFixed(1)} KB`)
  process.stdout.write(`Largest files: ${largest.join(', ')}. Fonts: ${fontKb.toFixed(1)} KB.\n`)
  const limitOf = (name: string) =>
    name.includes('text-editor')
      ? most['text-editor']
      : name.includes('markdown')
        ? most.markdown
        : most.screen
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter(({ name, kb }) => kb > limitOf(name))).toEqual([])
  expect(fonts).toHaveLength(2)
  expect(fontKb).toBeLessThanOrEqual(most.fonts)
})

test('screens.json has the address of each screen that the dashboard links to', () => {
  const screens = JSON.parse(readFileSync(join(root, 'dashboard/dist/screens.json'), 'utf8')) as {
    path: string
  }[]
  const addresses = new Set(screens.map(({ path }) => path))
  // the types of the router allow only links to its routes
  const linked = globSync('dashboard/**/*.{ts,tsx}', { cwd: root })
    .filter(file => !/^dashboard\/(dist|book)\/|\.test\./.test(file))
    .flatMap(file => [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /["'](\/(?:o\/\$organization|operator)(?:\/[\w$/-]*)?)["']/g,
      ),
    ])
    .map(([, address = '']) => address)
  expect(new Set(linked).size).toBeGreaterThan(40)
  expect(linked.filter(address => !addresses.has(address))).toEqual([])
})
