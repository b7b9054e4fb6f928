import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { removeFormerBuilds } from './former-builds.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patio-builds-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** A file and a folder of a build that was made or replaced some days ago. */
function plant(name: string, days: number): void {
  const [file, made] = [join(folder, `${name}.js`), join(folder, name)]
  writeFileSync(file, '')
  mkdirSync(made)
  writeFileSync(join(made, 'commands.js'), '')
  for (const path of [file, made]) utimesSync(path, new Date(), new Date(Date.now() - days * 86_400_000))
}
const left = () => readdirSync(folder).sort()
const of = (build: string) => (name: string) => name.startsWith(build)

test('files and folders stay for seven days after their build was replaced', () => {
  plant('current', 30)
  plant('replaced', 30)
  plant('recent', 6)
  plant('old', 8)
  removeFormerBuilds(folder, { isReplaced: of('replaced'), isCurrent: of('current') })
  expect(left()).toEqual(['current', 'current.js', 'recent', 'recent.js', 'replaced', 'replaced.js'])
})

test('with two builds soon after another, what an old build made stays after both', () => {
  plant('first', 30)
  plant('second', 0)
  removeFormerBuilds(folder, { isReplaced: of('first'), isCurrent: of('second') })
  plant('third', 0)
  removeFormerBuilds(folder, { isReplaced: of('second'), isCurrent: of('third') })
  expect(left()).toEqual(['first', 'first.js', 'second', 'second.js', 'third', 'third.js'])
})
