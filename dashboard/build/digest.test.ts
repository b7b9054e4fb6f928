import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { digestOf } from './digest.mjs'

test('a digest changes with the files, their paths and the imports of package.json, and with nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patio-digest-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'server'))
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content)
  const describe = (content: object) => write('package.json', JSON.stringify(content))
  const imports = { '#server/*': './server/*' }
  write('server/main.ts', 'start()')
  describe({ imports, scripts: {} })
  const digest = () => digestOf(['server'], folder)

  const first = digest()
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  describe({ imports, scripts: { test: 'vitest' } })
  write('server/main.test.ts', 'test()')
  expect(digest()).toBe(first)

  describe({ imports: { '#server/*': './bundled/*' }, scripts: {} })
  const withOtherImports = digest()
  describe({ imports, scripts: {} })
  write('server/main.ts', 'stop()')
  const withOtherContent = digest()
  write('server/main.ts', 'start()')
  write('server/more.ts', '')
  const withAnotherFile = digest()
  expect(new Set([first, withOtherImports, withOtherContent, withAnotherFile]).size).toBe(4)
})
