import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { attachmentDisposition, parseRange } from './file-download.ts'

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
      // no file name has these
      if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}/\\]/u.test(name)) return
      const header = attachmentDisposition(name)
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      const [, ascii, encoded] = defined(
        /^attachment; filename="([^"\\]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header),
      )
      expect(ascii).not.toContain('/')
      expect(decodeURIComponent(defined(encoded))).toBe(name)
    }),
  )
})
