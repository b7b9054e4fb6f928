import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { leastProcessorMs } from '#tests/support/processor-time.ts'
import { identify } from '../intake/identify.ts'
import type { ReportBody } from '../intake/report-body.ts'
import { normalizeFile, normalizeFunction, normalizeMessage } from './fingerprint.ts'
import { replaceVariables } from './placeholders.ts'
import { findApplicationFrame } from './stack-frames.ts'

type ReportOverrides = Partial<ReportBody>
type Vectors = {
  same: [what: string, one: ReportOverrides, other: ReportOverrides][]
  different: [what: string, one: ReportOverrides, other: ReportOverrides][]
  places: [what: string, stack: string, file: string, name: string][]
  hashes: [given: ReportOverrides, hash: string][]
}
const vectors: Vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8'))
const hashOf = (overrides: ReportOverrides) =>
  identify({ message: 'x', module: 'billing', ...overrides } as ReportBody).hash

describe('golden vectors of version e1', () => {
  test.each(vectors.same)('same fingerprint: %s', (_what, one, other) => {
    expect(hashOf(one)).toBe(hashOf(other))
    expect(hashOf(one)).toMatch(/^[0-9a-f]{32}$/)
  })
  test.each(vectors.different)('different fingerprints: %s', (_what, one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other))
  })
  test.each(vectors.hashes)('stable hash: %j', (overrides, hash) => {
    expect(hashOf(overrides)).toBe(hash)
  })
  test.each(vectors.places)('application frame in a stack of %s', (_what, stack, file, name) => {
    const place = defined(findApplicationFrame(stack))
    expect([normalizeFile(place.file), normalizeFunction(place.function)]).toEqual([file, name])
  })
})

test.each([
  ['a number', 'took 3 of 12, 1,000.50 or 1e9 -7', 'took <num> of <num>, <num> or <num> <num>'],
  ['numbers after punctuation', 'user_42 order-43 #44 a:45', 'user_<num> order-<num> #<num> a:<num>'],
  ['digits in words', 'ERR42 2fa x86_64 v8', 'ERR42 2fa x86_<num> v8'],
  ['statuses', 'status: 503, HTTP 404, code=200, code 1000', 'status: 503, HTTP 404, code=200, code <num>'],
  [
    'database error codes',
    'ORA-00001 SQLSTATE[42P01] SQLSTATE 23505',
    'ORA-00001 SQLSTATE[42P01] SQLSTATE 23505',
  ],
  ['namespaces', 'std::vector abc::def', 'std::vector abc::def'],
  ['words in quotes', 'reading \'a\' of "b"', 'reading \'a\' of "b"'],
  ['a trace', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '<trace>'],
  ['a web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', '<jwt>'],
  ['a nanoid', 'item V1StGXR8_Z5jdHi6B-myT gone', 'item <id> gone'],
  ['a file with its line', 'in /app/src/a.ts:10:3: bad', 'in <path>: bad'],
  ['slashes between words', 'and/or </div>', 'and/or </div>'],
])('placeholders: %s', (_what, text, expected) => {
  expect(replaceVariables(text)).toBe(expected)
})

test('normalization is idempotent', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '1',
    '42',
    '-',
    ':',
    '/',
    '=',
    '"',
    '@',
    '.',
    'f00d',
    'status',
    '\n',
    'é',
    '<',
    '>',
    '_',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
      const once = normalizeMessage(pieces.join(''))
      expect(normalizeMessage(once)).toBe(once)
    }),
    // a placeholder that ends before the colons of an address
    { numRuns: 300, examples: [[['f00d', 'status', 'status', ':', ':', 'f00d']]] },
  )
})

test.each([
  'a-',
  ':::',
  'a@',
  'a.',
  '1:',
  '-1',
  '0x',
  '/a',
  '=',
  '="',
  'eyJ',
  'a1',
  '1 ',
  'Mon ',
  'http://',
  '/',
  '(',
  'at a (',
])('linear time for repetitions of %s', async piece => {
  const events = {
    message: piece.repeat(2_000).slice(0, 2_000),
    module: 'm',
    stack: piece.repeat(10_000).slice(0, 10_000),
  }
  identify(events as ReportBody)
  let n = 0
  const identifyOther = () =>
    identify({ ...events, message: `${n++}${events.message}`.slice(0, 2_000) } as ReportBody)
  // a backtracking pattern would take hundreds of times as long
  expect(await leastProcessorMs(identifyOther, 20)).toBeLessThan(20)
})
