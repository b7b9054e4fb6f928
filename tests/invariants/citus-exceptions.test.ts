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
    return !name.split(' > ').every(part => source.includes(part) || isOneOfEach(source, part))
  })
  expect(missing).toEqual([])
  const all = exceptions.flatMap(({ file, tests }) =>
    tests === 'all' ? [file] : tests.map(name => `${file} ${name}`),
  )
  expect(new Set(all).size).toBe(all.length)
})

/** Whether the name comes from a title with `%s`, whose value the file has. */
function isOneOfEach(source: string, name: string): boolean {
  return [...source.matchAll(/'([^'\n]*)%s([^'\n]*)'/g)].some(([, start = '', end = '']) => {
    const value = name.slice(start.length, name.length - end.length)
    return name === `${start}${value}${end}` && source.includes(`'${value}'`)
  })
}
