import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTexts } from './compare-texts.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { maxLength: 30 })
  .map(lines => lines.join('\n'))

/** The text that the runs make of a side, for a text that they show as a whole. */
function sideOf(difference: ReturnType<typeof compareTexts>, removedKind: 'added' | 'removed'): string[] {
  return (difference?.hunks ?? []).flatMap(({ runs }) =>
    runs.flatMap(({ kind, lines }) => (kind === removedKind ? [] : lines)),
  )
}

test('a comparison has the counts, the lines and the numbers of both texts', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const difference = compareTexts(before, after)
      if (difference === null) {
        expect(before).toBe(after)
        return
      }
      for (const { fromLine, toLine, runs } of difference.hunks) {
        const from = runs.flatMap(({ kind, lines }) => (kind === 'added' ? [] : lines))
        const to = runs.flatMap(({ kind, lines }) => (kind === 'removed' ? [] : lines))
        const linesIn = (whole: string) => (whole === '' ? [] : whole.split('\n'))
        expect(linesIn(before).slice(fromLine - 1, fromLine - 1 + from.length)).toEqual(from)
        expect(linesIn(after).slice(toLine - 1, toLine - 1 + to.length)).toEqual(to)
      }
      const shown = sideOf(difference, 'removed').length - sideOf(difference, 'added').length
      expect(shown).toBe(difference.added - difference.removed)
    }),
  )
})

test('too many changes show everything between as replaced, at once', () => {
  const lines = (seed: number) =>
    Array.from({ length: 20_000 }, (_, line) => `${(line * seed) % 19_997}`).join('\n')
  const startedAt = performance.now()
  expect(compareTexts(lines(7), lines(11))).toMatchObject({ isComplete: false })
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
