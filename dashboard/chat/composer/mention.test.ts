import { expect, it } from 'vitest'
import { findMentionable, fromWire, searchAt, toWire } from './mention.rules.ts'

const names = new Map([
  ['c1', 'Ana'],
  ['c2', 'Ana Ruiz'],
  ['c3', 'Ana'],
])

it('writes names for ids and back', () => {
  const { text, mentions } = fromWire('<@c1> and <@c2>, <@c9>', names)
  expect(text).toBe('@Ana and @Ana Ruiz, <@c9>')
  expect(toWire(text, mentions)).toBe('<@c1> and <@c2>, <@c9>')
  expect(toWire('@Anabel @Ana.', mentions)).toBe('@Anabel <@c1>.')
  expect(fromWire('<@c1> <@c3>', names).text).toBe('@Ana <@c3>')
  expect(toWire('@Ana', new Map())).toBe('@Ana')
})

it('finds the name that is being typed before the caret', () => {
  expect(searchAt('hi @me', 6)).toEqual({ start: 3, search: 'me' })
  expect(searchAt('@', 1)).toEqual({ start: 0, search: '' })
  expect(searchAt('@mei li', 7)).toEqual({ start: 0, search: 'mei li' })
  expect(searchAt('mail me@acme', 12)).toBeUndefined()
  expect(searchAt('@mei', 2)).toEqual({ start: 0, search: 'm' })
})

it('finds people by the beginning of any of their names', () => {
  const all = ['Mei Lin', 'Amir Benali', 'Ángela'].map(name => ({ id: name, name, kind: 'person' as const }))
  expect(findMentionable(all, 'be').map(({ name }) => name)).toEqual(['Amir Benali'])
  expect(findMentionable(all, 'ang').map(({ name }) => name)).toEqual(['Ángela'])
  expect(findMentionable(all, '')).toHaveLength(3)
})
