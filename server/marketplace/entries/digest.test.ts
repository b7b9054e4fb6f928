import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { firstOf, itemAt } from '#tests/support/elements.ts'
import { canonicalJson, type DigestedRelease, releaseDigest } from './digest.ts'

const release: DigestedRelease = {
  type: 'SKILL',
  name: 'Résumé',
  version: '1.0.0',
  description: 'd',
  bodyMarkdown: '# b\n',
  frontmatter: { b: [2, { y: 1, x: null }], a: 'ä' },
  files: [
    { path: 'b.txt', size: 2, sha256: 'bb' },
    { path: 'a/z.txt', size: 1, sha256: 'aa' },
  ],
}

test('is SHA-256 of the documented bytes', () => {
  const text =
    '{"bodyMarkdown":"# b\\n","description":"d","files":[{"path":"a/z.txt","sha256":"aa","size":1},' +
    '{"path":"b.txt","sha256":"bb","size":2}],"format":"patio-release/1",' +
    '"frontmatter":{"a":"ä","b":[2,{"x":null,"y":1}]},"name":"Résumé","type":"SKILL","version":"1.0.0"}'
  expect(releaseDigest(release)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
  expect(releaseDigest(release)).toBe('4544fb44716fe542ae443e2ca61f09c220d22ca92ed9b4dd5eca5c11d0b47822')
})

test('ignores the order of fields and files, and everything that is not content', () => {
  const frontmatter = { a: 'ä', b: [2, { x: null, y: 1 }] }
  const files = [...release.files].reverse().map(file => ({ ...file, contentType: 'text/plain', id: 'x' }))
  expect(releaseDigest({ ...release, frontmatter, files })).toBe(releaseDigest(release))
})

test.each<[string, Partial<DigestedRelease>]>([
  ['the type', { type: 'AGENT' }],
  ['the name', { name: 'Resume' }],
  ['the version', { version: '1.0.1' }],
  ['the description', { description: 'd ' }],
  ['the body', { bodyMarkdown: '# b' }],
  ['the front matter', { frontmatter: { ...release.frontmatter, c: 1 } }],
  ['the order in a list', { frontmatter: { a: 'ä', b: [{ y: 1, x: null }, 2] } }],
  ['a file', { files: release.files.slice(1) }],
  ['the bytes of a file', { files: [{ ...firstOf(release.files), sha256: 'bc' }, itemAt(release.files, 1)] }],
  [
    'the place of a file',
    { files: [{ ...firstOf(release.files), path: 'c.txt' }, itemAt(release.files, 1)] },
  ],
  ['the size of a file', { files: [{ ...firstOf(release.files), size: 3 }, itemAt(release.files, 1)] }],
])('tells another one by %s', (_, change) => {
  expect(releaseDigest({ ...release, ...change })).not.toBe(releaseDigest(release))
})

describe('canonical JSON', () => {
  test.each([
    [{ é: 1, z: 2, Z: 3, '': 4, '😀': 5, '\ufb33': 6 }, '{"":4,"Z":3,"z":2,"é":1,"😀":5,"\ufb33":6}'],
    [{ a: undefined, b: [] }, '{"b":[]}'],
    [[1e21, 0.1, -0, 10000000000000000], '[1e+21,0.1,0,10000000000000000]'],
    [{ __proto__: null, a: '\u2028"\\\u0007' }, '{"a":"\u2028\\"\\\\\\u0007"}'],
    [null, 'null'],
  ])('%j', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })
})
