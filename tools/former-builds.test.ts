import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeFormerBuilds } from './former-builds.ts'

test('files and folders of former builds stay for seven days, and those that are kept longer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patio-builds-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const ages = { current: 0, recent: 6, newestFormer: 30, old: 8 }
  for (const [name, days] of Object.entries(ages)) {
    const [file, made] = [join(folder, `${name}.js`), join(folder, name)]
    writeFileSync(file, '')
    mkdirSync(made)
    writeFileSync(join(made, 'commands.js'), '')
    for (const path of [file, made]) utimesSync(path, new Date(), new Date(Date.now() - days * 86_400_000))
  }
  removeFormerBuilds(folder, name => name.startsWith('newestFormer'))
  const left = ['current', 'current.js', 'newestFormer', 'newestFormer.js', 'recent', 'recent.js']
  expect(readdirSync(folder).sort()).toEqual(left)
})
