import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import { limits } from './limits.ts'

/** The key of what a schema and its copies have in common: see `Named`. */
export const identity: unique symbol = Symbol('identity')

/**
 * A text, a number or a list to which documents refer by the name of its const, also where it is optional, nullable or
 * shorter. Objects and `OneOf` have this without it.
 */
export function Named<Schema extends TSchema>(schema: Schema): Schema {
  return Object.assign(schema, { [identity]: {} })
}

/** An identifier: `c` and 24 base-36 characters when we made it; longer foreign ones are tolerated in input. */
export const Id = Named(Type.String({ minLength: 1, maxLength: limits.id, description: 'Identifier (CUID)' }))

/** A person of the organization, as replies name one. */
export const Person = Type.Object({ id: Id, name: Type.String() })

/** ISO 8601 in UTC with milliseconds. In input any offset, in the years 1000 to 2999. */
export const Time = Named(
  Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    pattern: '^[12]\\d{3}-.*(?:[Zz]|[+-](?:0\\d|1[0-5]):[0-5]\\d)$',
    description: 'ISO 8601, such as 2026-01-31T09:30:00.000Z',
  }),
)

/**
 * A currency. `server/platform/currency.ts` knows which there are, and how many decimals each has: amounts in `…Cents` are
 * whole numbers of its smallest unit.
 */
export const Currency = Named(
  Type.String({
    maxLength: 3,
    pattern: '^[a-z]{3}$',
    format: 'currency',
    description: 'A currency of ISO 4217 in lowercase letters, such as `eur`',
  }),
)

/** A text of `min` to `max` characters. */
export function Text(max: number, min = 0) {
  return Type.String(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max })
}

/** Why something is done, in a person's words: trimmed before it is measured. */
export function Reason(max: number, min = 0) {
  return Type.String({ ...(min > 0 && { minLength: min }), maxLength: max, 'x-trim': true })
}

/** A day, without its time. */
export const Day = Named(Type.String({ format: 'date', pattern: '^[12]', description: 'A day: YYYY-MM-DD' }))
export const Cents = Named(Type.Integer({ description: 'In the smallest unit of the currency' }))

/** A text on one line: not blank, no control characters. */
export const OneLine = Named(
  Type.String({
    minLength: 1,
    description: 'One line, not blank',
    pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*[^\\p{Cc}\\p{Z}][^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
  }),
)

/** A name on one line, of 1 to `max` characters. */
export function Name(max: number) {
  return Type.String({ ...OneLine, maxLength: max })
}

/** One of the given words. */
export function OneOf<const Words extends readonly string[]>(
  words: Words,
  options: { default?: Words[number]; description?: string } = {},
) {
  // the list is what two schemas of the same words have in common
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], [identity]: words, ...options })
}

/** The same schema, or null. Written as a type list, which the compiled serializer handles without a validator. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: words, ...rest } = schema as unknown as { type: string; enum?: string[] }
  return Type.Unsafe<Static<Schema> | null>({
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
    ...rest,
  })
}

/** Free JSON: an object whose fields are the caller's own. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Query parameters of a list by limit and offset (PAG-1). */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.pageLimit, default: limits.pageLimitDefault }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.pageOffset, default: 0 })),
}

/** Query parameters of an event stream, which a browser opens without headers (API-4, SSE-5). */
export const streamQuery = {
  token: Type.String({ maxLength: 2_000, description: 'From POST /api/auth/sse-token' }),
  lastEventId: Type.Optional(
    Type.String({
      maxLength: limits.id,
      description: 'Where to go on, for a client that cannot send the header Last-Event-ID',
    }),
  ),
}

/** `{ items, total, limit, offset }`, the one list form of the people door. */
export function Page<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
}

/** The same for lists that can be searched: beyond a bound, `total` says only that there are at least so many. */
export function SearchPage<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    totalIsBound: Type.Optional(
      Type.Literal(true, {
        description: `There are more than \`total\`, which is ${limits.searchTotal}; absent when it is exact`,
      }),
    ),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
}

/**
 * One address: nothing that a mail header could read as a second one or as another field. It is trimmed before it is
 * measured and matched.
 */
export const emailPattern =
  '^[^@\\s\\p{Cc}<>()[\\],;:"\\\\]{1,64}@[^@\\s\\p{Cc}<>()[\\],;:"\\\\]+\\.[^@\\s\\p{Cc}<>()[\\],;:"\\\\.]+$'
export const Email = Named(
  Type.String({
    maxLength: limits.email,
    pattern: emailPattern,
    description: 'E-mail address',
    'x-trim': true,
  }),
)
