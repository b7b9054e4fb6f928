import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasMarkers, mergeTexts } from './merge.rules.ts'

const names = { mine: 'mine', theirs: '1.4.2' }
const lines = (...texts: string[]) => texts.join('\n')
const base = lines('a', 'b', 'c', 'd', 'e')

test('changes in different places come together', () => {
  const merged = mergeTexts(
    { base, mine: lines('a', 'B', 'c', 'd', 'e'), theirs: lines('a', 'b', 'c', 'd', 'E', 'f') },
    names,
  )
  expect(merged).toEqual({ text: lines('a', 'B', 'c', 'd', 'E', 'f'), clashes: 0 })
  expect(hasMarkers(merged.text)).toBe(false)
})

test('neighbouring lines that each side changed are both taken', () => {
  const merged = mergeTexts(
    { base, mine: lines('a', 'B', 'c', 'd', 'e'), theirs: lines('a', 'b', 'C', 'd', 'e') },
    names,
  )
  expect(merged).toEqual({ text: lines('a', 'B', 'C', 'd', 'e'), clashes: 0 })
})

test('the same change of both sides is taken once', () => {
  const changed = lines('a', 'x', 'e')
  expect(mergeTexts({ base, mine: changed, theirs: changed }, names)).toEqual({ text: changed, clashes: 0 })
})

test('a place that both changed has both passages, marked', () => {
  const merged = mergeTexts(
    { base, mine: lines('a', 'mine', 'c', 'd', 'e'), theirs: lines('a', 'theirs', 'c', 'd', 'e') },
    names,
  )
  expect(merged).toEqual({
    text: lines('a', '<<<<<<< mine', 'mine', '=======', 'theirs', '>>>>>>> 1.4.2', 'c', 'd', 'e'),
    clashes: 1,
  })
  expect(hasMarkers(merged.text)).toBe(true)
})

test('nothing is lost, and a side that changed nothing changes nothing', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 }).map(all => all.join('\n'))
  fc.assert(
    fc.property(text, text, text, (one, mine, theirs) => {
      expect(mergeTexts({ base: one, mine, theirs: one }, names).text).toBe(mine)
      expect(mergeTexts({ base: one, mine: one, theirs }, names).text).toBe(theirs)
      const { text: merged } = mergeTexts({ base: one, mine, theirs }, names)
      // every line that a side added is in the result
      const inBase = new Set(one.split('\n'))
      for (const line of [...mine.split('\n'), ...theirs.split('\n')])
        if (!inBase.has(line)) expect(merged.split('\n')).toContain(line)
    }),
  )
})
