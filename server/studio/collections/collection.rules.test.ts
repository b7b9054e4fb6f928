import { describe, expect, it } from 'vitest'
import { foldedName } from '#platform/fold.ts'
import { prefersScan } from './collection.rules.ts'

describe('the folded name that must be unique among siblings', () => {
  it.each([
    ['Año Nuevo', 'ANO NUEVO'],
    ['Straße', 'strasse'],
    ['ﬁnanzas', 'Finanzas'],
    ['é'.normalize('NFD'), 'É'],
  ])('is equal for %s and %s', (one, other) => {
    expect(foldedName(one)).toBe(foldedName(other))
  })

  it.each([
    ['a', 'b'],
    ['a b', 'ab'],
    ['日本', '日木'],
  ])('is different for %s and %s', (one, other) => {
    expect(foldedName(one)).not.toBe(foldedName(other))
  })

  it('fits into an index entry', () => {
    for (const letter of ['🦉', 'ﷺ']) {
      expect(Buffer.byteLength(foldedName(letter.repeat(120)))).toBeLessThanOrEqual(1_020)
    }
  })
})

describe('a page of a collection is found by scanning the catalogue', () => {
  it.each([
    ['when nearly everything is in the collection', 100_000, 100_000, 200_000, 20, true],
    ['also at a large offset', 100_000, 100_000, 200_000, 10_000, true],
    ['not when the collection is small', 200, 200, 200_000, 20, false],
    ['not when the caller may read little of it', 5, 100_000, 200_000, 20, false],
    ['not when the whole collection is requested', 50, 50, 60, 100, false],
    ['not when the collection is empty', 0, 0, 200_000, 20, false],
  ])('%s', (_, readable, filed, listed, length, expected) => {
    expect(prefersScan({ readable, filed, listed }, length)).toBe(expected)
  })
})
