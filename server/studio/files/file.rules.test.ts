import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { detectContentType } from './content-type.ts'
import {
  attachmentDisposition,
  filenameOf,
  findPathConflict,
  normalizePath,
  parseRange,
} from './file.rules.ts'

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

test('a range is always inside the body', () => {
  const number = fc.oneof(fc.nat(20), fc.nat(), fc.constant(''), fc.constantFrom('-', ' 1', '1,2', 'x'))
  fc.assert(
    fc.property(number, number, fc.nat(15), (first, last, size) => {
      const range = parseRange(`bytes=${first}-${last}`, size)
      if (range === undefined || range === 'unsatisfiable') return
      expect(range.length).toBeGreaterThan(0)
      expect(range.start + range.length).toBeLessThanOrEqual(size)
    }),
  )
})

test('the name of a download fits a header and survives it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), name => {
      if (normalizePath(name) === undefined) return
      const header = attachmentDisposition(name)
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      const [, ascii, encoded] =
        /^attachment; filename="([^"\\]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header)!
      expect(ascii).not.toContain('/')
      expect(decodeURIComponent(encoded!)).toBe(name)
    }),
  )
})

describe('the content type', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  it.each<[string, Buffer | string, string, string]>([
    ['an image with any name', png, 'notes.txt', 'image/png'],
    ['text with an extension', '# Title', 'README.md', 'text/markdown'],
    ['text without an extension', 'hello', 'LICENSE', 'text/plain'],
    ['text with an unknown extension', 'hello', 'a.xyz', 'text/plain'],
    ['a script', '#!/bin/sh\necho\n', 'run.SH', 'application/x-sh'],
    ['text that starts like an image', 'BMW is a car maker', 'cars.md', 'text/markdown'],
    ['text that starts like a program', 'MZ means Mark Zbikowski', 'x', 'text/plain'],
    ['text with the extension of an image', 'not a picture', 'photo.png', 'text/plain'],
    ['a document format that starts with text', '%PDF-1.7\n', 'x.txt', 'application/pdf'],
    ['markup that can contain scripts', '<script>', 'x.svg', 'image/svg+xml'],
    ['nothing', '', 'x.json', 'application/json'],
    ['bytes', Buffer.from([0, 1, 2, 3]), 'x.html', 'application/octet-stream'],
    ['Latin-1', Buffer.from('caf\xe9', 'latin1'), 'x.txt', 'application/octet-stream'],
  ])('is detected from %s', async (_what, content, name, kind) => {
    const bytes = Buffer.from(content as string)
    expect(await detectContentType(bytes, bytes.length, name)).toBe(kind)
  })

  it('is detected from a head that ends inside a character', async () => {
    const whole = Buffer.from('é'.repeat(3_000))
    expect(await detectContentType(whole.subarray(0, 4_099), whole.length, 'a.md')).toBe('text/markdown')
    expect(await detectContentType(whole.subarray(0, 4_099), 4_099, 'a.md')).toBe('application/octet-stream')
  })
})
