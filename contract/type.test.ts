import TypeBox, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { Type } from './type.ts'

/** One schema of each kind, and the combinations that the contract has. */
function schemasOf(type: typeof Type): Record<string, TSchema> {
  const Lead = type.Object(
    { id: type.String({ minLength: 1 }), note: type.Optional(type.Union([type.String(), type.Null()])) },
    { description: 'A lead' },
  )
  return {
    string: type.String(),
    'string with options': type.String({ pattern: '^a', description: 'An a' }),
    integer: type.Integer({ minimum: 0 }),
    number: type.Number(),
    boolean: type.Boolean({ default: false }),
    null: type.Null(),
    unknown: type.Unknown({ description: 'Anything' }),
    'literal text': type.Literal('a'),
    'literal number': type.Literal(1),
    'literal truth': type.Literal(true),
    array: type.Array(Lead, { maxItems: 3 }),
    record: type.Record(type.String(), type.Integer()),
    object: Lead,
    'object without required properties': type.Object({ a: type.Optional(type.String()) }),
    'object without properties': type.Object({}, { additionalProperties: false }),
    'optional twice': type.Object({ a: type.Optional(type.Optional(type.String())) }),
    'optional that was spread is required': type.Object({
      a: { ...type.Optional(type.String()), title: 'A' } as TSchema,
    }),
    'optional of an unsafe schema': type.Object({
      a: type.Optional(type.Unsafe<string>({ type: 'string' })),
    }),
    unsafe: type.Unsafe<'a' | null>({ type: ['string', 'null'], enum: ['a', null] }),
    partial: type.Partial(Lead),
  }
}

const theirs = schemasOf(TypeBox)
test.each(Object.entries(schemasOf(Type)))('%s is the JSON Schema of TypeBox', (name, ours) => {
  expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs[name]))
})
