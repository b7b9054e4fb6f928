import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractConsts, root } from './operations.ts'
import { operationsWithoutNeed, operationsWithoutScreens } from './operations-without-screens.ts'

// they name operations of all areas: for the reads that a frame makes stale, and for who sees an entry
const namesOnly = ['dashboard/data/frames.rules.ts', 'dashboard/shell/navigation.ts']

/** The names of the contract that the code of the dashboard imports as values. */
function importedNames(): Set<string> {
  const files = globSync('dashboard/**/*.{ts,tsx}', { cwd: root }).filter(
    file => !/^dashboard\/(dist|book)\/|\.test\./.test(file) && !namesOnly.includes(file),
  )
  const imports = files.flatMap(file => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^import \{([^}]*)\} from '#contract\//gm),
  ])
  const names = imports.flatMap(([, list]) => list!.split(',').map(name => name.trim().split(' as ')[0]!))
  return new Set(names.filter(name => !name.startsWith('type ')))
}

test('each operation of people, accounts and operators is called by a screen, or named with the step of its screen', async () => {
  const operations = (await contractConsts())
    .filter(({ contract: { auth } }) => auth.session || auth.operator || auth.account)
    .map(({ name }) => name)
  const called = importedNames()
  const later = [...Object.values(operationsWithoutScreens).flat(), ...Object.keys(operationsWithoutNeed)]
  expect(called).toContain('listMembers')
  expect(operations.filter(name => called.has(name) === later.includes(name))).toEqual([])
  // no name that the contract does not have, and none twice
  expect(later.filter((name, at) => !operations.includes(name) || later.indexOf(name) !== at)).toEqual([])
})

const dist = join(root, 'dashboard/dist')
type Entry = { file: string; imports?: string[]; css?: string[]; isDynamicEntry?: boolean }
type Manifest = Record<string, Entry>
/** In KB of 1,024 bytes; scripts and styles as gzip sends them. */
const most = { scripts: 190, styles: 12, fonts: 53, screen: 25, markdown: 43 }
const frame = ['index.html', 'shell/organization-shell.tsx']
const firstScreens = {
  home: ['home/home.tsx'],
  members: ['shell/settings-navigation.tsx', 'identity/members/members.tsx'],
}

test('what the browser loads for the first screens, and each screen, stays within its size', () => {
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Manifest
  const figures = Object.entries(firstScreens).map(([name, screen]) => {
    const entries = [...closureOf(manifest, [...frame, ...screen])].map(key => manifest[key]!)
    const styles = new Set(entries.flatMap(({ css = [] }) => css))
    return {
      name,
      scripts: sum(entries.map(({ file }) => gzipped(file))),
      styles: sum([...styles].map(gzipped)),
    }
  })
  // Spanish and English need no other alphabets
  const fonts = Object.values(manifest).filter(({ file }) => /geist(-mono)?-latin-wght-\w+/.test(file))
  const fontKb = sum(fonts.map(({ file }) => statSync(join(dist, file)).size))
  const screens = Object.entries(manifest)
    .filter(([, { isDynamicEntry }]) => isDynamicEntry)
    .map(([name, { file }]) => ({ name, kb: gzipped(file) / 1024 }))
  const largest = screens.toSorted((one, other) => other.kb - one.kb)
  process.stdout.write(
    [
      ...figures.map(
        ({ name, scripts, styles }) => `${name}: ${kb(scripts)} of scripts, ${kb(styles)} of styles`,
      ),
      `fonts: ${kb(fontKb)}`,
      `largest chunks: ${largest
        .slice(0, 4)
        .map(({ name, kb }) => `${name} ${kb.toFixed(1)} KB`)
        .join(', ')}`,
      '',
    ].join('\n'),
  )
  for (const { name, scripts, styles } of figures) {
    expect(scripts / 1024, name).toBeLessThanOrEqual(most.scripts)
    expect(styles / 1024, name).toBeLessThanOrEqual(most.styles)
  }
  expect(fonts).toHaveLength(2)
  expect(fontKb / 1024).toBeLessThanOrEqual(most.fonts)
  const limitOf = (name: string) => (name.includes('markdown') ? most.markdown : most.screen)
  expect(screens.length).toBeGreaterThan(10)
  expect(screens.filter(({ name, kb }) => kb > limitOf(name))).toEqual([])
})

/** These entries and everything that they import before they run. */
function closureOf(manifest: Manifest, keys: readonly string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (found.has(key)) continue
    const entry = manifest[key]
    if (!entry) throw new Error(`The build has no ${key}`)
    found.add(key)
    closureOf(manifest, entry.imports ?? [], found)
  }
  return found
}

function gzipped(file: string): number {
  return statSync(join(dist, `${file}.gz`)).size
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

function kb(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}
