import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exceptions } from '../citus/exceptions.ts'

const root = join(import.meta.dirname, '../..')

test('each exception of the tests on Citus names a test that exists, once', () => {
  expect(exceptions.map(({ file }) => file).filter(file => !existsSync(join(root, file)))).toEqual([])
  const named = exceptions.flatMap(({ file, tests }) =>
    (tests === 'all' ? [] : tests).map(name => ({ file, name })),
  )
  const missing = named.filter(({ file, name }) => {
    const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")
    return !name.split(' > ').every(part => source.includes(part))
  })
  expect(missing).toEqual([])
  const all = exceptions.flatMap(({ file, tests }) =>
    tests === 'all' ? [file] : tests.map(name => `${file} ${name}`),
  )
  expect(new Set(all).size).toBe(all.length)
})
