import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allCaptured, itemAt } from '#tests/support/elements.ts'
import { meaningOf, placeFindings, quotedPlace } from './finding.rules.ts'
import { findingMeanings } from './finding.words.ts'

const finding = { severity: 'warn', code: 'JWT', path: null, line: null, message: 'A token.' } as const

it('places a finding in a file, in the body, in another text, or nowhere', () => {
  const placed = placeFindings([
    { ...finding, path: 'a.sh', line: 3 },
    { ...finding, line: 4 },
    { ...finding, message: 'The front matter, line 2: A token.' },
    { ...finding, message: 'The parsed front matter, line 2: A token.' },
    { ...finding, message: 'The release notes, line 1: A token.' },
    { ...finding, message: 'The name, line 1: A token.' },
    finding,
  ])
  expect(placed.map(({ part, line }) => [part, line])).toEqual([
    ['file:a.sh', 3],
    ['body', 4],
    ['frontmatter', 2],
    ['frontmatter', null],
    ['notes', 1],
    [undefined, null],
    [undefined, null],
  ])
  expect(itemAt(placed, 2).message).toBe('A token.')
  expect(new Set(placed.map(({ id }) => id)).size).toBe(placed.length)
})

it('quotes a place with its line, if it has one', () => {
  const quote = (part: 'body' | undefined, line: number | null) =>
    quotedPlace(
      { part, line },
      () => 'Body',
      number => `line ${number}`,
    )
  expect(quote('body', 4)).toBe('Body, line 4')
  expect(quote('body', null)).toBe('Body')
  expect(quote(undefined, null)).toBeUndefined()
})

it('knows every code of the checks in Spanish', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync('server/marketplace/review-queue/findings/*.ts', { cwd: root }).filter(
    file => !file.endsWith('.test.ts'),
  )
  const codes = files.flatMap(file =>
    allCaptured(/(?:code: |token\(\s*)'([A-Z_]+)'/g, readFileSync(join(root, file), 'utf8')),
  )
  const unknown = codes.filter(code => !(code in findingMeanings))
  expect(codes.length).toBeGreaterThan(40)
  expect(unknown).toEqual([])
  expect(meaningOf(finding, 'es').advice).not.toBe(finding.message)
  expect(meaningOf({ ...finding, code: 'NEW_CODE' }, 'es')).toEqual({ title: 'NEW_CODE', advice: 'A token.' })
})
