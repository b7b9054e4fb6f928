import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { isExactNumber } from '#platform/http/input.ts'
import { leastProcessorMs } from '#tests/support/processor-time.ts'
import { InvalidPackageError } from '../package-errors.ts'
import { maxYamlCharacters, readYaml } from './read-yaml.ts'
import { emptyHead, looksLikeFrontmatter, type Split, splitMarkdown } from './split-markdown.ts'
import { writeYaml } from './write-yaml.ts'

const fieldsOf = (text: string) => readYaml(text, 'SKILL.md').value
function codeOf(text: string): string | undefined {
  try {
    readYaml(text, 'SKILL.md')
  } catch (error) {
    if (error instanceof InvalidPackageError) return error.findings[0]?.code
    throw error
  }
  return undefined
}

describe('splitting a Markdown file', () => {
  it.each([
    ['---\na: 1\n---\n\n# T\n', '---\na: 1\n---\n\n', 'a: 1\n', '# T\n'],
    ['---\na: 1\n---\n# T', '---\na: 1\n---\n', 'a: 1\n', '# T'],
    ['---\r\na: 1\r\n---\r\n\r\n\r\nT', '---\r\na: 1\r\n---\r\n\r\n', 'a: 1\r\n', '\r\nT'],
    ['\ufeff--- \na: 1\n---\t\nT', '\ufeff--- \na: 1\n---\t\n', 'a: 1\n', 'T'],
    ['---\na: 1\n---', '---\na: 1\n---', 'a: 1\n', ''],
    ['---\n---\n', '---\n---\n', '', ''],
    ['---\na: |\n  ---\n  x\n---\nT', '---\na: |\n  ---\n  x\n---\n', 'a: |\n  ---\n  x\n', 'T'],
    ['# T\n---\n', '', '', '# T\n---\n'],
    ['\ufeff# T', '\ufeff', '', '# T'],
    ['----\n', '', '', '----\n'],
    ['', '', '', ''],
  ])('%j', (text, head, yaml, body) => {
    expect(splitMarkdown(text)).toEqual({ head, yaml, body })
  })

  it('reports why it cannot be split', () => {
    expect(splitMarkdown('---\na: 1\n')).toBe('unclosed')
    expect(splitMarkdown('---')).toBe('unclosed')
    expect(splitMarkdown('---js\n{}\n---\n')).toBe('language')
  })

  test('splits any body that was joined with front matter', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom('---', '\n', '\r\n', 'a', ' ', '\ufeff')).map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(text, body => {
        const head = looksLikeFrontmatter(body) ? emptyHead : ''
        expect(splitMarkdown(head + body)).toMatchObject({ head, body } satisfies Partial<Split>)
        expect(splitMarkdown(emptyHead + body)).toMatchObject({ head: emptyHead, body })
      }),
      { numRuns: 500 },
    )
  })
})

describe('reading front matter', () => {
  it('keeps the spelling of values that JSON would write differently', () => {
    const text =
      'a: 1.10\nb: 0x1F\nc: 2024-01-01\nd: .nan\ne: 123456789012345678901\nf: yes\ng: 1e3\nh: -0\n1: x\n'
    expect(fieldsOf(text)).toEqual({
      a: '1.10',
      b: '0x1F',
      c: '2024-01-01',
      d: '.nan',
      e: '123456789012345678901',
      f: 'yes',
      g: '1e3',
      h: '-0',
      1: 'x',
    })
    expect(fieldsOf('a: 1.5\nb: true\nc: ~\nd:\ne: [1, {f: "g"}]\n')).toEqual({
      a: 1.5,
      b: true,
      c: null,
      d: null,
      e: [1, { f: 'g' }],
    })
    expect(fieldsOf('# nothing\n')).toEqual({})
    expect(fieldsOf('a: "x"\r\nb: |\r\n  y\r\n')).toEqual({ a: 'x', b: 'y\n' })
  })

  it('quotes a value that contains a colon', () => {
    const text = 'name: x\ndescription: Use it: when needed\nmetadata:\n  note: a: b # c\n'
    expect(readYaml(text, '')).toMatchObject({
      value: { name: 'x', description: 'Use it: when needed', metadata: { note: 'a: b # c' } },
      text: 'name: x\ndescription: "Use it: when needed"\nmetadata:\n  note: "a: b # c"\n',
      repaired: [2, 4],
    })
  })

  it.each([
    ['frontmatter-anchor', 'a: &x 1\n'],
    ['frontmatter-anchor', 'a: &x [1]\nb: *x\n'],
    ['frontmatter-anchor', 'b: *x\n'],
    ['frontmatter-tag', 'a: !!js/function "function () {}"\n'],
    ['frontmatter-tag', 'a: !!str 1\n'],
    ['frontmatter-tag', '! a: 1\n'],
    ['frontmatter-directive', '%YAML 1.1\n--- \na: 1\n'],
    ['frontmatter-documents', 'a: 1\n...\nb: 2\n'],
    ['frontmatter-merge', 'a:\n  <<: {b: 1}\n'],
    ['frontmatter-duplicate', 'a: 1\nb: 2\na: 3\n'],
    ['frontmatter-duplicate', 'a: 1\n"a": 3\n'],
    ['frontmatter-key', '__proto__: 1\n'],
    ['frontmatter-key', 'a: {"__proto__": 1}\n'],
    ['frontmatter-key', '? [a]\n: 1\n'],
    ['frontmatter-key', '? {a: 1}\n: 1\n'],
    ['frontmatter-characters', 'a: "\\0"\n'],
    ['frontmatter-characters', 'a: "\\ud800"\n'],
    ['frontmatter-invalid', '- a\n'],
    ['frontmatter-invalid', 'text\n'],
    ['frontmatter-invalid', 'a: [1\n'],
    ['frontmatter-invalid', 'a: "x\n'],
    ['frontmatter-invalid', '\tb: 1\na:\n\tc: 2\n'],
    ['frontmatter-invalid', 'function () {}\n: {\n'],
    ['frontmatter-too-deep', `a: ${'['.repeat(32)}${']'.repeat(32)}\n`],
    ['frontmatter-too-deep', `a: ${'['.repeat(200)}${']'.repeat(200)}\n`],
    ['frontmatter-invalid', `a:\n${'- '.repeat(2_000)}x\n`],
    ['frontmatter-too-long', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
    ['frontmatter-too-long', `${'a: 1\n'.repeat(5_000)}`],
    ['frontmatter-too-long', `a: ${'x'.repeat(maxYamlCharacters)}\n`],
  ])('rejects input with %s (%#)', (code, text) => {
    expect(codeOf(text)).toBe(code)
  })

  it('ignores tokens inside block scalars', () => {
    expect(fieldsOf('a: |\n  &x *y !z\n  %YAML\nb: >\n  &x\nc: "&x"\n')).toEqual({
      a: '&x *y !z\n%YAML\n',
      b: '&x\n',
      c: '&x',
    })
  })

  it.each([
    ['many keys', Array.from({ length: 25_000 }, (_, n) => `k${n}: 1`).join('\n')],
    ['one long value', `a: ${'x'.repeat(maxYamlCharacters - 10)}`],
    ['many empty lines', 'a: 1\n'.padEnd(maxYamlCharacters - 10, '\n')],
    ['many comments', 'a: 1\n'.padEnd(maxYamlCharacters - 10, '#\n')],
    ['many spaces', `a:${' '.repeat(maxYamlCharacters - 10)}1`],
    ['many quotes', `a: ${"'".repeat(maxYamlCharacters - 10)}`],
    ['many escapes', `a: "${'\\n'.repeat(maxYamlCharacters / 2 - 10)}"`],
    ['many flow keys', `a: {${Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join(', ')}}`],
    ['the maximum number of keys', Array.from({ length: 950 }, (_, n) => `k${n}: 1`).join('\n')],
    ['lists of the maximum depth', `a:\n${'- '.repeat(2_400)}x\n`],
    ['brackets of the maximum depth', `a: ${'['.repeat(2_400)}${']'.repeat(2_400)}\n`],
    ['the maximum number of values that need quotes', 'a: b: c\n'.repeat(700)],
    ['many lines in one value', `a: ${'x\n '.repeat(maxYamlCharacters / 3 - 10)}`],
    ['a value that needs quotes in every line', 'a: b: c\n'.repeat(30_000)],
    ['a value with a colon and many spaces', `a: b: c${' '.repeat(maxYamlCharacters - 100)}d: e`],
    ['a name with many spaces', `${' '.repeat(maxYamlCharacters - 100)}a: b: c`],
    ['open brackets', `a: ${'[{'.repeat(maxYamlCharacters / 2 - 10)}`],
    ['many question marks', '? '.repeat(maxYamlCharacters / 2 - 10)],
    ['many colons', ': '.repeat(maxYamlCharacters / 2 - 10)],
    ['stairs', Array.from({ length: 600 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
  ])('handles %s in bounded time', async (_, text) => {
    const read = () => {
      try {
        readYaml(text, '')
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidPackageError)
      }
    }
    expect(await leastProcessorMs(read, 1_000)).toBeLessThan(1_000)
  })
})

describe('writing front matter', () => {
  it('is plain where possible and quoted where necessary', () => {
    expect(
      writeYaml({
        name: 'pdf-tools',
        description: 'Liest: alles, "sofort" — ja?',
        metadata: { version: '1.0', yes: 'no', empty: '', dashes: 'a----b' },
        list: ['a', ['b', 'c'], { d: 1, e: [] }, {}],
        'odd key: ': null,
        number: -1.5,
        b: false,
      }),
    ).toBe(`name: pdf-tools
description: "Liest: alles, \\"sofort\\" — ja?"
metadata:
  version: "1.0"
  "yes": "no"
  empty: ""
  dashes: "a-\\u002d--b"
list:
  - a
  - - b
    - c
  - d: 1
    e: []
  - {}
"odd key: ": null
number: -1.5
b: false
`)
    expect(writeYaml({})).toBe('')
  })

  const key = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('yes', '1', '-', '---', 'a: b', '', 'x'.repeat(1_200), '? ', '#', '&a', '<'),
  )
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }).map(value => value.replaceAll('\0', '')),
    fc.constantFrom(
      'yes',
      'NO',
      '~',
      '1.10',
      '---',
      '- a',
      'a #b',
      ' a',
      'a ',
      '\n\n',
      '|',
      '2024-01-01',
      'é',
      '\u2028',
    ),
  )
  const json = fc
    .dictionary(
      key,
      fc.letrec<{ value: unknown }>(tie => ({
        value: fc.oneof(
          { maxDepth: 4, depthSize: 'small' },
          text,
          fc.integer(),
          fc
            .double({ noNaN: true, noDefaultInfinity: true })
            .filter(isExactNumber)
            .map(n => (Object.is(n, -0) ? 0 : n)),
          fc.boolean(),
          fc.constant(null),
          fc.array(tie('value'), { maxLength: 4 }),
          fc.dictionary(key, tie('value'), { maxKeys: 4 }),
        ),
      })).value,
      { maxKeys: 6 },
    )
    .map(value => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
    .filter(value => !JSON.stringify(value).includes('__proto__') && JSON.stringify(value).isWellFormed())

  test('gives text that we and other parsers read back, and that never contains ---', () => {
    fc.assert(
      fc.property(json, value => {
        const written = writeYaml(value)
        expect(written).not.toContain('---')
        expect(splitMarkdown(`---\n${written}---\n\nx`)).toMatchObject({ yaml: written, body: 'x' })
        const stored = JSON.parse(JSON.stringify(value))
        if (!/"<<":|\\ud[89a-f]/.test(JSON.stringify(stored)))
          expect(readYaml(written, '').value).toEqual(stored)
        expect(parse(written, { version: '1.1', schema: 'yaml-1.1' }) ?? {}).toEqual(stored)
      }),
      { numRuns: 1_000 },
    )
  })
})
