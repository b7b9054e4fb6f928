import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { leastProcessorMs } from '#tests/support/processor-time.ts'
import { type AssetCopy, mergeCopies } from './merge-copies.ts'
import { type CopiedFile, mergeFiles } from './merge-files.ts'
import { mergeFrontmatter } from './merge-frontmatter.ts'
import { mergeTexts } from './merge-texts.ts'
import type { MergeSide } from './merge-value.ts'

const lines = (...all: string[]) => all.join('\n')
function merge(base: string, yours: string, theirs: string, take?: MergeSide) {
  const { value, conflicts } = mergeTexts('bodyMarkdown', { base, yours, theirs }, take)
  return { value, conflicts: conflicts.map(({ base, yours, theirs }) => [base, yours, theirs]) }
}

describe('lines', () => {
  const base = lines('a', 'b', 'c', 'd', 'e')
  test.each<[string, string, string, string]>([
    [
      'different lines',
      lines('A', 'b', 'c', 'd', 'e'),
      lines('a', 'b', 'c', 'd', 'E'),
      lines('A', 'b', 'c', 'd', 'E'),
    ],
    [
      'an addition and a removal',
      lines('a', 'b', 'c', 'd', 'e', 'f'),
      lines('a', 'c', 'd', 'e'),
      lines('a', 'c', 'd', 'e', 'f'),
    ],
    ['additions at both ends', lines('0', base), lines(base, '6'), lines('0', base, '6')],
    [
      'the same change',
      lines('a', 'x', 'c', 'd', 'e'),
      lines('a', 'x', 'c', 'd', 'e'),
      lines('a', 'x', 'c', 'd', 'e'),
    ],
    [
      'the same change and another',
      lines('a', 'x', 'c', 'd', 'e'),
      lines('a', 'x', 'c', 'd', 'y'),
      lines('a', 'x', 'c', 'd', 'y'),
    ],
    ['only ours', lines('x'), base, 'x'],
    ['only theirs', base, lines('x', ''), lines('x', '')],
    ['all removed by one', '', base, ''],
    [
      'a move and a change elsewhere',
      lines('b', 'c', 'a', 'd', 'e'),
      lines('a', 'b', 'c', 'd', 'E'),
      lines('b', 'c', 'a', 'd', 'E'),
    ],
  ])('%s', (_, yours, theirs, value) => {
    expect(merge(base, yours, theirs)).toEqual({ value, conflicts: [] })
    expect(merge(base, theirs, yours)).toEqual({ value, conflicts: [] })
  })

  test('the same line changed differently is a conflict about that line', () => {
    const [yours, theirs] = [lines('a', 'b', 'Y', 'd', 'e'), lines('a', 'b', 'T', 'd', 'E')]
    expect(merge(base, yours, theirs).conflicts).toEqual([['c', 'Y', 'T']])
    expect(merge(base, yours, theirs, 'yours').value).toBe(lines('a', 'b', 'Y', 'd', 'E'))
    expect(merge(base, yours, theirs, 'theirs')).toEqual({
      value: lines('a', 'b', 'T', 'd', 'E'),
      conflicts: [['c', 'Y', 'T']],
    })
  })

  test('neighbouring lines changed, additions at one place, a change of what was removed', () => {
    expect(merge(base, lines('a', 'B', 'c', 'd', 'e'), lines('a', 'b', 'C', 'd', 'e')).conflicts).toEqual([
      [lines('b', 'c'), lines('B', 'c'), lines('b', 'C')],
    ])
    expect(merge(base, lines(base, 'y'), lines(base, 't')).conflicts).toEqual([['', 'y', 't']])
    expect(merge(base, lines('a', 'd', 'e'), lines('a', 'b', 'C', 'd', 'e')).conflicts).toEqual([
      [lines('b', 'c'), '', lines('b', 'C')],
    ])
  })

  test('line endings do not change', () => {
    expect(merge('a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n').value).toBe('A\r\nb\r\nC\r\n')
    expect(merge('a\nb\nc', 'A\nb\nc', 'a\nb\nc\n').value).toBe('A\nb\nc\n')
  })

  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 }).map(all => all.join('\n'))
  test('an unchanged side adds nothing, and the sides are symmetric', () => {
    fc.assert(
      fc.property(text, text, text, (base, one, other) => {
        expect(merge(base, one, base)).toEqual({ value: one, conflicts: [] })
        expect(merge(base, base, one)).toEqual({ value: one, conflicts: [] })
        expect(merge(base, one, one)).toEqual({ value: one, conflicts: [] })
        const [there, back] = [merge(base, one, other), merge(base, other, one)]
        expect(back.conflicts).toEqual(there.conflicts.map(([was, yours, theirs]) => [was, theirs, yours]))
        expect(merge(base, one, other, 'theirs').value).toBe(merge(base, other, one, 'yours').value)
      }),
    )
  })

  test('separate edits both count', () => {
    const signedStatement = fc.array(fc.uuid(), { minLength: 1, maxLength: 5 })
    const part = fc.array(fc.constantFrom('x', 'y', ''), { maxLength: 4 })
    fc.assert(
      fc.property(part, part, signedStatement, part, part, (was, mine, between, was2, theirs) => {
        const of = (one: string[], other: string[]) =>
          ['# first', ...one, ...between, ...other, '# last'].join('\n')
        expect(merge(of(was, was2), of(mine, was2), of(was, theirs))).toEqual({
          value: of(mine, theirs),
          conflicts: [],
        })
      }),
    )
  })

  test('texts that are too long or too different are merged as one value, quickly', async () => {
    const many = (line: (n: number) => string) => Array.from({ length: 60_000 }, (_, n) => line(n)).join('\n')
    const long = merge(
      many(n => `${n}`),
      many(n => `y${n}`),
      many(n => `t${n}`),
    )
    expect(long.conflicts).toEqual([[many(n => `${n}`), many(n => `y${n}`), many(n => `t${n}`)]])
    const some = (seed: number) =>
      Array.from({ length: 20_000 }, (_, n) => ((n * seed) % 7919) % 10).join('\n')
    const mergeSome = () => expect(merge(some(31), some(37), some(41)).conflicts).toHaveLength(1)
    expect(await leastProcessorMs(mergeSome, 6_000)).toBeLessThan(6_000)
  })

  test('many conflicts are reported as one and resolved one by one', () => {
    const count = limits.differenceEdits + 1
    const with_ = (mark: string) =>
      Array.from({ length: count }, (_, n) => `line ${n}\n${n}${mark}`).join('\n')
    const end = '\nadded'
    const [base, yours, theirs] = [with_(''), with_('y'), with_('t') + end]
    expect(merge(base, yours, theirs).conflicts).toEqual([[base, yours, theirs]])
    expect(merge(base, yours, theirs, 'yours').value.startsWith('line 0\n0y\nline 1')).toBe(true)
  })

  test('a merge can exceed the length that both sides respect', () => {
    const half = 'x'.repeat(limits.assetBody / 2)
    const [yours, theirs] = [lines(half, 'a', 'b', 'c'), lines('a', 'b', 'c', half)]
    expect(merge(lines('a', 'b', 'c'), yours, theirs)).toMatchObject({
      conflicts: [['a\nb\nc', yours, theirs]],
    })
  })
})

describe('front matter', () => {
  const of = (fields: Record<string, unknown>, text: string | null = null) => ({ fields, text })
  const base = of({ model: 'small', tools: ['a'], nested: { x: 1 } }, '# one\nmodel: small')

  test('fields are merged by value', () => {
    const yours = of({ model: 'large', tools: ['a'], nested: { x: 1 }, mine: null }, 'y')
    const theirs = of({ model: 'small', tools: ['a', 'b'], added: { __proto__: 1 } }, 't')
    expect(mergeFrontmatter({ base, yours, theirs }, undefined)).toEqual({
      value: { fields: { model: 'large', tools: ['a', 'b'], mine: null, added: {} }, text: null },
      conflicts: [],
    })
  })

  test('a side that alone changed keeps its text', () => {
    const yours = of(base.fields, '# other comment')
    expect(mergeFrontmatter({ base, yours, theirs: base }, undefined).value).toEqual(yours)
    const theirs = of({ ...base.fields, model: 'x' }, 't')
    expect(mergeFrontmatter({ base, yours: base, theirs }, undefined).value).toEqual(theirs)
    // respelled on one side, changed on the other
    expect(mergeFrontmatter({ base, yours, theirs }, undefined).value).toEqual(theirs)
  })

  test('a field with two new values is a conflict, also one that was removed', () => {
    const yours = of({ ...base.fields, model: 'y', nested: { x: 2 } })
    const { nested: _, ...rest } = base.fields
    const theirs = of({ ...rest, model: 't' })
    const { value, conflicts } = mergeFrontmatter({ base, yours, theirs }, 'theirs')
    expect(conflicts).toEqual([
      { path: 'frontmatter.model', base: '"small"', yours: '"y"', theirs: '"t"' },
      { path: 'frontmatter.nested', base: '{"x":1}', yours: '{"x":2}', theirs: null },
    ])
    expect(value).toEqual(theirs)
  })

  test('ignores the order of fields, and treats special names like others', () => {
    const named = JSON.parse('{"__proto__": 1, "constructor": 2}')
    const turned = JSON.parse('{"constructor": 2, "__proto__": 1}')
    const { value, conflicts } = mergeFrontmatter(
      { base: of(named), yours: of(turned), theirs: of({ ...named, toString: 3 }) },
      undefined,
    )
    expect(conflicts).toEqual([])
    expect(Object.keys(value.fields)).toEqual(expect.arrayContaining(['constructor', 'toString']))
  })
})

describe('files', () => {
  const file = (path: string, sha256: string): CopiedFile => ({
    path,
    sha256,
    size: 1,
    contentType: 'text/plain',
  })
  const events = (files: CopiedFile[]) => files.map(({ path, sha256 }) => `${path}=${sha256}`)
  const base = [file('a', '1'), file('b', '1'), file('c', '1')]

  test('additions, changes and removals of each side count', () => {
    const yours = [file('a', 'y'), file('b', '1'), file('c', '1'), file('mine', '1')]
    const theirs = [file('a', '1'), file('c', 't'), file('new', '1')]
    const { value, conflicts } = mergeFiles({ base, yours, theirs }, undefined)
    expect(conflicts).toEqual([])
    expect(events(value)).toEqual(['a=y', 'c=t', 'mine=1', 'new=1'])
  })

  test('one file changed twice, or changed and removed, is a conflict', () => {
    const yours = [file('a', 'y'), file('b', 'y'), file('c', '1')]
    const theirs = [file('a', 't'), file('c', '1'), file('new', '1')]
    const both = { base, yours, theirs }
    expect(mergeFiles(both, undefined).conflicts).toEqual([
      { path: 'files/a', base: '1', yours: 'y', theirs: 't' },
      { path: 'files/b', base: '1', yours: 'y', theirs: null },
    ])
    expect(events(mergeFiles(both, 'yours').value)).toEqual(['a=y', 'b=y', 'c=1', 'new=1'])
    expect(events(mergeFiles(both, 'theirs').value)).toEqual(['a=t', 'c=1', 'new=1'])
  })

  test('a file at the path of a folder of the other side is a conflict', () => {
    const yours = [...base, file('d', 'y')]
    const theirs = [...base, file('d/one', 't'), file('d/two', 't')]
    const mine = mergeFiles({ base, yours, theirs }, 'yours')
    expect(events(mine.value)).toEqual(['a=1', 'b=1', 'c=1', 'd=y'])
    expect(mine.conflicts).toContainEqual({ path: 'files/d/one', base: null, yours: null, theirs: 't' })
    const other = mergeFiles({ base, yours, theirs }, 'theirs')
    expect(events(other.value)).toEqual(['a=1', 'b=1', 'c=1', 'd/one=t', 'd/two=t'])
    expect(other.conflicts).toEqual([{ path: 'files/d', base: null, yours: 'y', theirs: null }])
  })
})

test('a whole copy: every part is merged, and conflicts are reported together', () => {
  const copy: AssetCopy = {
    name: 'Name',
    description: 'Does it.',
    bodyMarkdown: lines('a', 'b', 'c'),
    frontmatter: { fields: { model: 'm' }, text: null },
    files: [],
  }
  const yours = { ...copy, name: 'Mine', description: 'Yours.', bodyMarkdown: lines('A', 'b', 'c') }
  const theirs = { ...copy, description: 'Theirs.', bodyMarkdown: lines('a', 'b', 'C') }
  const { value, conflicts } = mergeCopies({ base: copy, yours, theirs, take: 'theirs' })
  expect(value).toEqual({ ...copy, name: 'Mine', description: 'Theirs.', bodyMarkdown: lines('A', 'b', 'C') })
  expect(conflicts).toEqual([{ path: 'description', base: 'Does it.', yours: 'Yours.', theirs: 'Theirs.' }])
})
