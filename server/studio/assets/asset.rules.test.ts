import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { assetTypes } from '#contract/studio/assets.ts'
import { fold, wordsOf } from '#platform/fold.ts'
import { distance, isLike } from '#platform/search-words.ts'
import {
  contentHash,
  departmentSetId,
  nameOfCopy,
  normalizeTags,
  numberedSlug,
  slugFrom,
} from './asset.rules.ts'

const grammar = /^[a-z0-9]+(-[a-z0-9]+)*$/

describe('slugFrom', () => {
  it.each([
    ['Resumen de facturas', 'resumen-de-facturas'],
    ['  ¿Qué tal, señor Peña?  ', 'que-tal-senor-pena'],
    ['Straße & Øresund – Œuvre Łódź', 'strasse-oresund-oeuvre-lodz'],
    ["Don't panic", 'dont-panic'],
    ['C++ / C#', 'c-c'],
    ['ＦＵＬＬ width ﬁ', 'full-width-fi'],
    ['日本語', 'prompt'],
    ['日本語 2024', 'prompt-2024'],
    ['2024', 'prompt-2024'],
    ['---', 'prompt'],
    ['🦉', 'prompt'],
    ['x'.repeat(300), 'x'.repeat(64)],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ])('%s → %s', (name, slug) => expect(slugFrom(name, 'PROMPT')).toBe(slug))

  it('always matches the pattern, also with a number', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom(...assetTypes),
        fc.nat(),
        (name, type, n) => {
          const slug = slugFrom(name, type)
          expect(slug).toMatch(grammar)
          expect(slug.length).toBeLessThanOrEqual(limits.assetSlug)
          expect(numberedSlug(slug, n + 2)).toMatch(grammar)
          expect(numberedSlug(slug, n + 2).length).toBeLessThanOrEqual(limits.assetSlug)
        },
      ),
    )
  })
})

it('always folds equal texts to equal slugs', () => {
  expect(fold('ÑANDÚ Ǆ İstanbul ẞ Å é é')).toBe('nandu dz istanbul ss a e e')
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => fold(fold(text)) === fold(text)))
  expect(wordsOf("It's 3.5% of v2_final, naïve—ok")).toEqual([
    'it',
    's',
    '3',
    '5',
    'of',
    'v2',
    'final',
    'naive',
    'ok',
  ])
})

it('hashes content independently of the order of its fields', () => {
  const content = { description: 'd', bodyMarkdown: 'b', frontmatter: { a: 1, b: { c: [1, 2], d: null } } }
  expect(contentHash({ ...content, frontmatter: { b: { d: null, c: [1, 2] }, a: 1 } })).toBe(
    contentHash(content),
  )
  const others = [
    { ...content, description: 'b', bodyMarkdown: 'd' },
    { ...content, frontmatter: { a: 1, b: { c: [2, 1], d: null } } },
    { ...content, frontmatter: { a: '1', b: { c: [1, 2], d: null } } },
    { ...content, frontmatter: { a: 1, b: { c: { 0: 1, 1: 2 }, d: null } } },
  ]
  expect(new Set([content, ...others].map(contentHash)).size).toBe(5)
})

it('identifies a set of departments by its members', () => {
  expect(departmentSetId([])).toBe('')
  expect(departmentSetId(['b', 'a'])).toBe(departmentSetId(['a', 'b']))
  expect(departmentSetId(['a'])).not.toBe(departmentSetId(['b']))
})

it('normalizes tags and names copies within the limit', () => {
  expect(normalizeTags([' A', 'a', 'Ñ', 'b c '])).toEqual(['a', 'ñ', 'b c'])
  expect(nameOfCopy('Bot')).toBe('Bot (copy)')
  expect([...nameOfCopy('🦉'.repeat(255))]).toHaveLength(255)
})

it.each([
  ['facturas', 'facturas', 0],
  ['factruas', 'facturas', 1],
  ['factura', 'facturas', 1],
  ['fcturas', 'facturas', 1],
  ['fakturas', 'facturas', 1],
  ['fact', 'facturas', 3],
])('%s matches %s with %i typos', (typed, word, slips) => expect(distance(typed, word)).toBe(slips))

it('allows one typo in a short word, two in a longer one, and any word that contains the search', () => {
  expect([isLike('mial', 'mail'), isLike('mila', 'lima'), isLike('fakturaz', 'facturas')]).toEqual([
    true,
    false,
    true,
  ])
  expect([isLike('nerat', 'generator'), isLike('correos', 'cordones')]).toEqual([true, false])
})
