import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { filenameOf, findPathConflict, normalizePath } from './file.rules.ts'

describe('a path inside a package', () => {
  it.each([
    ['a.txt', 'a.txt'],
    ['scripts/sum.py', 'scripts/sum.py'],
    ['.env', '.env'],
    ['a/..b/c..', 'a/..b/c..'],
    ['with space/ü.md', 'with space/ü.md'],
    ['u\u0308', '\u00fc'],
    ['a/b/c/d/e/f/g/h', 'a/b/c/d/e/f/g/h'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['con.txt', 'con.txt'],
    ['ab:c', 'ab:c'],
    ['', undefined],
    ['/', undefined],
    ['/a', undefined],
    ['a/', undefined],
    ['a//b', undefined],
    ['.', undefined],
    ['..', undefined],
    ['a/../b', undefined],
    ['./a', undefined],
    ['a\\b', undefined],
    ['c:/a', undefined],
    ['C:a', undefined],
    ['a\0', undefined],
    ['a\u0085b', undefined],
    ['a\u2028b', undefined],
    ['a\ud800', undefined],
    ['a\ufffd', undefined],
    ['a/ /b', undefined],
    ['a/b/c/d/e/f/g/h/i', undefined],
    ['é'.repeat(128), undefined],
  ])('%j becomes %j', (path, normalized) => {
    expect(normalizePath(path)).toBe(normalized)
  })

  test('that is accepted never leaves its folder and is normalized only once', () => {
    const pieces = fc.oneof(
      fc.constantFrom('..', '.', '/', '\\', 'a', 'C:', ' ', '\0', 'é'),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), parts => {
        const normalized = normalizePath(parts.join(''))
        if (normalized === undefined) return
        expect(normalizePath(normalized)).toBe(normalized)
        expect(
          new URL(normalized.split('/').map(encodeURIComponent).join('/'), 'http://a/in/').pathname,
        ).toMatch(/^\/in\/./)
        expect(Buffer.byteLength(normalized)).toBeLessThanOrEqual(limits.filePathBytes)
        expect(filenameOf(normalized)).not.toBe('')
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  [[], ['a', 'b/c', 'b/d'], undefined],
  [['a'], ['a'], 'a'],
  [[], ['a', 'a'], 'a'],
  [['a/b'], ['a'], 'a'],
  [['a'], ['a/b'], 'a/b'],
  [[], ['a', 'a/b'], 'a/b'],
  [[], ['a/b/c', 'a/b'], 'a/b'],
  [['a/b'], ['a/c', 'ab'], undefined],
])('next to %j, the first conflict in %j is %j', (existing, added, clash) => {
  expect(findPathConflict(existing, added)).toBe(clash)
})
