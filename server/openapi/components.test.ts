import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { Named, Nullable, OneOf } from '#contract/shapes.ts'
import { Type } from '#contract/type.ts'
import { openComponents } from './components.ts'

const words = ['RED', 'BLUE'] as const
const Colour = OneOf(words)
const Label = Named(Type.String({ minLength: 1, description: 'A label', pattern: '\\S' }))
const Point = Type.Object({ x: Type.Integer(), y: Type.Integer() })
const open = () =>
  openComponents(
    new Map<string, TSchema>([
      ['Colour', Colour],
      ['Label', Label],
      ['Point', Point],
    ]),
  )
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('copies of a schema refer to its const, with their additional keywords', () => {
  const { refer } = open()
  expect(refer(Type.Optional(Label))).toEqual(to('Label'))
  expect(refer(Type.String({ ...Label, maxLength: 20 }))).toEqual({ ...to('Label'), maxLength: 20 })
  expect(refer(Type.String({ ...Label, description: 'Its own' }))).toEqual({
    ...to('Label'),
    description: 'Its own',
  })
  expect(refer(Type.String({ ...Label, 'x-trim': true, maxLength: 20 }))).toEqual({
    ...to('Label'),
    maxLength: 20,
  })
  expect(refer(Nullable(Label))).toEqual({ anyOf: [to('Label'), { type: 'null' }] })
  expect(refer(Nullable(Point))).toEqual({ anyOf: [to('Point'), { type: 'null' }] })
  expect(refer(OneOf(words, { default: 'RED' }))).toEqual({ ...to('Colour'), default: 'RED' })
  expect(refer(Nullable(OneOf(words, { description: 'Of the door' })))).toEqual({
    description: 'Of the door',
    anyOf: [to('Colour'), { type: 'null' }],
  })
})

test('a schema that only looks the same, or removes a keyword, has no name', () => {
  const { refer, used } = open()
  for (const other of [
    Type.String({ minLength: 1, description: 'A label', pattern: '\\S' }),
    Type.String({ ...Label, pattern: '[a-z]' }),
    Type.Object({ x: Type.Integer(), y: Type.Integer() }),
    OneOf([...words]),
  ])
    expect(refer(other)).toEqual(JSON.parse(JSON.stringify(other)))
  expect(used()).toEqual({})
})

test('a pattern that needs the flag u is left out', () => {
  const { refer } = open()
  expect(refer(Type.String({ pattern: '^\\p{L}+$' }))).toEqual({ type: 'string' })
  expect(refer(Type.String({ pattern: '^[^\\p{Zl}]$' }))).toEqual({ type: 'string', pattern: '^[^\\u2028]$' })
})
