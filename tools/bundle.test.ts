import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { filesOf } from '../dashboard/build/digest.mjs'
import { bundleSources } from '../server/bundle.mjs'
import { bundle } from './bundle.ts'

const root = join(import.meta.dirname, '..')

// otherwise a changed source would run an older bundle
test('the digest of a bundle covers all modules that it contains', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'patio-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const modules = await bundle({ commands: 'server/commands.ts' }, folder)
  // the lock file stands for the modules of packages
  const own = modules
    .filter(id => isAbsolute(id) && !id.includes('/node_modules/'))
    .map(path => relative(root, path))
  expect(own.length).toBeGreaterThan(1_000)
  const covered = new Set(filesOf(bundleSources))
  expect(own.filter(path => !covered.has(path))).toEqual([])
  expect(covered).toContain('package-lock.json')
})
