import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, exactly, only } from '#tests/support/elements.ts'
import { differenceOfFields, differenceOfFiles, differenceOfTexts } from './diff.rules.ts'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`)
const text = (from: number, to: number) => lines(from, to).join('\n')

describe('two texts', () => {
  it('that are equal have no differences', () => {
    expect(differenceOfTexts('a\nb', 'a\nb')).toBeNull()
    expect(differenceOfTexts('', '')).toBeNull()
  })

  it('show changes with three lines of context and their positions', () => {
    const after = text(1, 60).replace('line 10\n', '').replace('line 40', 'line forty\nand more')
    expect(differenceOfTexts(text(1, 60), after)).toEqual({
      added: 2,
      removed: 2,
      isComplete: true,
      hunks: [
        {
          fromLine: 7,
          toLine: 7,
          runs: [
            { kind: 'same', lines: lines(7, 9) },
            { kind: 'removed', lines: ['line 10'] },
            { kind: 'same', lines: lines(11, 13) },
          ],
        },
        {
          fromLine: 37,
          toLine: 36,
          runs: [
            { kind: 'same', lines: lines(37, 39) },
            { kind: 'removed', lines: ['line 40'] },
            { kind: 'added', lines: ['line forty', 'and more'] },
            { kind: 'same', lines: lines(41, 43) },
          ],
        },
      ],
    })
  })

  it('keep adjacent changes in one hunk', () => {
    const near = differenceOfTexts(
      text(1, 20),
      text(1, 20).replace('line 5\n', 'x\n').replace('line 12\n', 'y\n'),
    )
    expect(near?.hunks).toHaveLength(1)
    const far = differenceOfTexts(
      text(1, 20),
      text(1, 20).replace('line 5\n', 'x\n').replace('line 13\n', 'y\n'),
    )
    expect(far?.hunks).toHaveLength(2)
  })

  it('may start from nothing, and include the last line feed', () => {
    const hunk = { fromLine: 1, toLine: 1 }
    expect(differenceOfTexts('', 'a\nb')).toEqual({
      added: 2,
      removed: 0,
      isComplete: true,
      hunks: [{ ...hunk, runs: [{ kind: 'added', lines: ['a', 'b'] }] }],
    })
    expect(differenceOfTexts('a', 'a\n')).toEqual({
      added: 1,
      removed: 0,
      isComplete: true,
      hunks: [
        {
          ...hunk,
          runs: [
            { kind: 'same', lines: ['a'] },
            { kind: 'added', lines: [''] },
          ],
        },
      ],
    })
    expect(defined(differenceOfTexts('a\r\nb', 'a\nb')).removed).toBe(1)
  })

  it('are turned into each other by their difference', () => {
    const anyText = fc
      .array(fc.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 60 })
      .map(all => all.join('\n'))
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const difference = differenceOfTexts(before, after)
        expect(applied(before, difference)).toBe(after)
      }),
      { numRuns: 500 },
    )
  })

  it('with little in common are reported as a whole, in bounded time', () => {
    const one = Array.from({ length: 49_000 }, (_, n) => `a${n % 7}`)
    const other = Array.from({ length: 49_000 }, (_, n) => (n % 3 ? `a${n % 11}` : `b${n}`))
    const frame = (all: string[]) => ['first', ...all, 'last'].join('\n')
    const start = performance.now()
    const difference = defined(differenceOfTexts(frame(one), frame(other)))
    expect(performance.now() - start).toBeLessThan(5_000 * crowd())
    expect(difference).toMatchObject({ isComplete: false })
    expect(applied(frame(one), difference)).toBe(frame(other))
    expect(difference.hunks).toHaveLength(1)
    const [before, removed, added, after] = exactly(4, only(difference.hunks).runs)
    expect([before.lines, after.lines]).toEqual(
      [['first'], ['last']].map(([line]) => expect.arrayContaining([line])),
    )
    expect([removed.lines.length, added.lines.length]).toEqual([difference.removed, difference.added])
  })

  it('are compared whatever was rewritten, as long as common lines keep their order', () => {
    const changed = lines(1, 4_000).map((line, at) => (at % 2 ? `${line}!` : line))
    const difference = differenceOfTexts(text(1, 4_000), changed.join('\n'))
    expect(difference).toMatchObject({ isComplete: true, added: 2_000, removed: 2_000 })
  })

  it('are compared up to the limit of moved lines', () => {
    const moved = (count: number) => [...lines(count + 1, 2_000), ...lines(1, count), 'end'].join('\n')
    const difference = (count: number) => differenceOfTexts(`${text(1, 2_000)}\nend`, moved(count))
    const half = limits.differenceEdits / 2
    expect(difference(half)).toMatchObject({ isComplete: true, added: half, removed: half })
    expect(difference(half + 1)).toMatchObject({ isComplete: false, added: 2_000, removed: 2_000 })
  })
})

/** Applies a difference to the first text, which gives the second. */
function applied(before: string, difference: ReturnType<typeof differenceOfTexts>): string {
  const one = before === '' ? [] : before.split('\n')
  const rebuilt: string[] = []
  let at = 0
  for (const { fromLine, toLine, runs } of difference?.hunks ?? []) {
    rebuilt.push(...one.slice(at, fromLine - 1))
    at = fromLine - 1
    expect(rebuilt).toHaveLength(toLine - 1)
    for (const { kind, lines } of runs) {
      if (kind !== 'added') {
        expect(one.slice(at, at + lines.length)).toEqual(lines)
        at += lines.length
      }
      for (const line of kind === 'removed' ? [] : lines) rebuilt.push(line)
    }
  }
  for (const line of one.slice(at)) rebuilt.push(line)
  return rebuilt.join('\n')
}

describe('two front matters', () => {
  it('differ by JSON pointer: fields, nested fields, list items', () => {
    const before = { same: { a: [1] }, gone: null, 'a/b~c': 1, deep: { list: [1, 2, 3], kind: [] }, '': 'x' }
    const after = { '': 'y', deep: { list: [1, 5], kind: {} }, 'a/b~c': 2, same: { a: [1] }, new: { x: 1 } }
    expect(differenceOfFields(before, after)).toEqual([
      { path: '/gone', kind: 'removed', before: null },
      { path: '/a~1b~0c', kind: 'changed', before: 1, after: 2 },
      { path: '/deep/list/1', kind: 'changed', before: 2, after: 5 },
      { path: '/deep/list/2', kind: 'removed', before: 3 },
      { path: '/deep/kind', kind: 'changed', before: [], after: {} },
      { path: '/', kind: 'changed', before: 'x', after: 'y' },
      { path: '/new', kind: 'added', after: { x: 1 } },
    ])
    expect(differenceOfFields({ b: 1, a: [{}] }, { a: [{}], b: 1 })).toEqual([])
    expect(differenceOfFields({ constructor: 1 }, {})).toEqual([
      { path: '/constructor', kind: 'removed', before: 1 },
    ])
    expect(differenceOfFields({}, { toString: 1 })).toEqual([{ path: '/toString', kind: 'added', after: 1 }])
    expect(differenceOfFields({ a: null }, { a: {} })).toEqual([
      { path: '/a', kind: 'changed', before: null, after: {} },
    ])
  })

  it('report an object with too many differences as one change', () => {
    const many = Object.fromEntries(
      Array.from({ length: limits.differenceFields + 1 }, (_, n) => [`k${n}`, n]),
    )
    expect(differenceOfFields({ part: {}, a: 1 }, { part: many, a: 2 })).toEqual([
      { path: '/part', kind: 'changed', before: {}, after: many },
      { path: '/a', kind: 'changed', before: 1, after: 2 },
    ])
    const { k0: _, ...fewer } = many
    expect(differenceOfFields({}, fewer)).toHaveLength(limits.differenceFields)
  })

  it('never report more than they contain, however long the keys are', () => {
    const name = 'n'.repeat(300_000)
    const list = (offset: number) => ({
      [name]: { [`${name}2`]: Array.from({ length: 400 }, (_, n) => n + offset) },
    })
    const difference = differenceOfFields(list(0), list(1))
    expect(JSON.stringify(difference).length).toBeLessThan(3_000_000)
  })
})

it('two sets of files differ by added, removed, changed and renamed files', () => {
  const file = (path: string, sha256: string, size = 1) => ({ path, sha256, size })
  const before = [
    file('a', '1'),
    file('b', '2', 20),
    file('c', '3'),
    file('d', '4', 40),
    file('e', '4', 40),
    file('f', '6'),
  ]
  const after = [file('a', '1'), file('b', '9', 90), file('moved', '3'), file('x', '4', 40), file('z', '1')]
  expect(differenceOfFiles(before, after)).toEqual([
    { path: 'b', kind: 'changed', previousPath: null, sizeBefore: 20, sizeAfter: 90 },
    { path: 'e', kind: 'removed', previousPath: null, sizeBefore: 40, sizeAfter: null },
    { path: 'f', kind: 'removed', previousPath: null, sizeBefore: 1, sizeAfter: null },
    { path: 'moved', kind: 'renamed', previousPath: 'c', sizeBefore: 1, sizeAfter: 1 },
    { path: 'x', kind: 'renamed', previousPath: 'd', sizeBefore: 40, sizeAfter: 40 },
    { path: 'z', kind: 'added', previousPath: null, sizeBefore: null, sizeAfter: 1 },
  ])
  expect(differenceOfFiles(before, before)).toEqual([])
})
