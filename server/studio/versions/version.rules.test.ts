import fc from 'fast-check'
import compare from 'semver/functions/compare.js'
import { expect, it } from 'vitest'
import { bumpVersion, changedContent, mergeContent, precedenceOf, releaseLineEnd } from './version.rules.ts'

const byBytes = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byPrecedence = (a: string, b: string) => byBytes(precedenceOf(a), precedenceOf(b))

it('orders versions by Semantic Versioning 11', () => {
  const ordered = [
    '0.0.0-0',
    '0.0.0',
    '0.9.9',
    '0.10.0',
    ...['1.0.0--', '1.0.0--a', '1.0.0-a', '1.0.0-a.b', '1.0.0-a-', '1.0.0-aa'].sort((a, b) => compare(a, b)),
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1-0',
    '1.0.1',
    '2.0.0',
    '10.0.0',
    '999999999.0.0',
  ]
  for (const [at, version] of ordered.entries()) {
    for (const [otherAt, other] of ordered.entries())
      expect([version, other, byPrecedence(version, other)]).toEqual([
        version,
        other,
        Math.sign(at - otherAt),
      ])
  }
})

const number = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 999_999_999 })).map(String)
const identifier = fc.oneof(number, fc.stringMatching(/^[0-9]{0,2}[a-zA-Z-][0-9a-zA-Z-]{0,3}$/))
const version = fc
  .tuple(fc.array(number, { minLength: 3, maxLength: 3 }), fc.array(identifier, { maxLength: 4 }))
  .map(([core, rest]) => core.join('.') + (rest.length > 0 ? `-${rest.join('.')}` : ''))

it('orders any two versions like the npm library', () => {
  fc.assert(
    fc.property(version, version, (a, b) => byPrecedence(a, b) === compare(a, b)),
    { numRuns: 2_000 },
  )
})

it('distinguishes numbers beyond the integer range', () => {
  expect(byPrecedence('1.0.0-9007199254740993', '1.0.0-9007199254740992')).toBe(1)
  expect(byPrecedence(`1.0.0-${'9'.repeat(57)}`, `1.0.0-1${'0'.repeat(57)}`)).toBe(-1)
})

it.each([
  ['1.0.0', 'patch', '1.0.1'],
  ['0.9.99', 'patch', '0.9.100'],
  ['2.0.0-beta.1', 'patch', '2.0.0'],
  ['1.2.3-a-b', 'patch', '1.2.3'],
  ['1.2.3', 'minor', '1.3.0'],
  ['1.3.0-rc.1', 'minor', '1.3.0'],
  ['1.3.1-rc.1', 'minor', '1.4.0'],
  ['1.2.3', 'major', '2.0.0'],
  ['2.0.0-rc', 'major', '2.0.0'],
  ['999999999.999999999.999999999', 'patch', '999999999.999999999.1000000000'],
  [`1.0.0-${'9'.repeat(58)}`, 'patch', '1.0.0'],
] as const)('after %s a %s gives %s', (highest, bump, next) => expect(bumpVersion(highest, bump)).toBe(next))

it('a bump follows versions with the same major and minor number for a patch, the same major number for a minor', () => {
  const isIn = (line: string, bump: 'major' | 'minor' | 'patch') => (other: string) =>
    precedenceOf(other) < releaseLineEnd(line, bump)
  const all = ['1.2.3', '1.2.1000000000', '1.2.4-x', '1.3.0-a', '1.10.0', '2.0.0-a', '3.0.0']
  expect(all.filter(isIn('1.2.0-x', 'patch'))).toEqual(all.slice(0, 3))
  expect(all.filter(isIn('1.2.0', 'minor'))).toEqual(all.slice(0, 5))
  expect(all.filter(isIn('1.2.0', 'major'))).toEqual(all)
  fc.assert(
    fc.property(version, fc.constantFrom('major', 'minor', 'patch'), (one, bump) => {
      const next = bumpVersion(one, bump)
      expect(byPrecedence(one, next)).toBe(-1)
      expect(precedenceOf(one) < releaseLineEnd(one, bump)).toBe(true)
    }),
  )
})

it('keeps the text of front matter while its content is equal', () => {
  const frontmatterText = 'b: 2 # two\na: 1\n'
  const active = {
    description: 'd',
    bodyMarkdown: 'b',
    frontmatter: { b: 2, a: 1 },
    frontmatterText,
    hash: 'x',
  }
  const merged = mergeContent(active, { frontmatter: { a: 1, b: 2 }, bodyMarkdown: 'new' })
  expect([Object.keys(merged.frontmatter), merged.frontmatterText]).toEqual([['b', 'a'], frontmatterText])
  const other = mergeContent(active, { frontmatter: { a: 1, b: 3 } })
  expect([other.frontmatter, other.frontmatterText]).toEqual([{ a: 1, b: 3 }, null])
  expect(changedContent(active, merged)).toEqual(['bodyMarkdown'])
  expect(changedContent(active, other)).toEqual(['frontmatter'])
  expect(changedContent(mergeContent(active, {}), mergeContent(active, { description: 'd' }))).toEqual([])
})
