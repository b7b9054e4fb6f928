import type { Static, TSchema, TUnsafe } from 'typebox'
import { limits } from './limits.ts'
import { Type } from './type.ts'

/** Marks copies of one schema: see `Named`. */
export const identity: unique symbol = Symbol('identity')

/**
 * Gives a text, number or list schema the name of its const in the documents, also where it is optional,
 * nullable or narrowed. Objects and `OneOf` do not need it.
 */
export function Named<Schema extends TSchema>(schema: Schema): Schema {
  return Object.assign(schema, { [identity]: {} })
}

/**
 * An identifier: `c` and 24 base-36 characters if Patio created it. Input also accepts longer identifiers.
 */
export const Id = Named(Type.String({ minLength: 1, maxLength: limits.id, description: 'Identifier (CUID)' }))

/** A person of the organization in replies. */
export const Person = Type.Object({ id: Id, name: Type.String() })

/** ISO 8601 in UTC with milliseconds. Input accepts any offset in the years 1000 to 2999. */
export const Time = Named(
  Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    pattern: '^[12]\\d{3}-.*(?:[Zz]|[+-](?:0\\d|1[0-5]):[0-5]\\d)$',
    description: 'ISO 8601, such as 2026-01-31T09:30:00.000Z',
  }),
)

/**
 * A currency. `server/platform/currency.ts` lists the currencies and their decimals. Amounts in `…Cents` are
 * whole numbers of the smallest unit.
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

/** A reason in a person's words. It is trimmed before its length is checked. */
export function Reason(max: number, min = 0) {
  return Type.String({ ...(min > 0 && { minLength: min }), maxLength: max, 'x-trim': true })
}

/** A day without a time. */
export const Day = Named(Type.String({ format: 'date', pattern: '^[12]', description: 'A day: YYYY-MM-DD' }))
export const Cents = Named(Type.Integer({ description: 'In the smallest unit of the currency' }))

/** A text on one line, not blank, without control characters. */
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

/** One of a list of words. */
export function OneOf<const Words extends readonly string[]>(
  words: Words,
  options: { default?: Words[number]; description?: string } = {},
) {
  // two schemas with the same words share this list
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], [identity]: words, ...options })
}

/**
 * The same schema, or null. It uses a type list, which the compiled serializer handles without a validator.
 */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: words, ...rest } = schema as unknown as { type: string; enum?: string[] }
  return Type.Unsafe<Static<Schema> | null>({
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
    ...rest,
  })
}

/** Free JSON: an object with any fields. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Query parameters of a list with limit and offset (PAG-1). */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.pageLimit, default: limits.pageLimitDefault }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.pageOffset, default: 0 })),
}

/** A short-lived address of a document (ADDR-1). */
export const DocumentAddress = Type.Object({
  path: Type.String({ description: 'The path and query on the origin of this server' }),
  expiresAt: Time,
})
export type DocumentAddress = Static<typeof DocumentAddress>
/** The query of such an address. The signature covers the rest and the document (ADDR-2). */
export const documentAddressQuery = {
  organization: Id,
  person: Id,
  session: Id,
  version: Time,
  expires: Type.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Seconds since 1970' }),
  signature: Type.String({ minLength: 1, maxLength: 200 }),
}

/** Of one address, because the opener has no token. */
export const documentAddressLimit = {
  bucket: 'document-addresses',
  times: limits.documentsOpenedPerHour,
  windowSeconds: 3_600,
} as const

/** Query parameters of an event stream. Browsers open streams without headers (API-4, SSE-5). */
export const streamQuery = {
  token: Type.String({ maxLength: 2_000, description: 'From POST /api/auth/sse-token' }),
  lastEventId: Type.Optional(
    Type.String({
      maxLength: limits.id,
      description: 'The last event id, for a client that cannot send the header Last-Event-ID',
    }),
  ),
}

/** `{ items, total, limit, offset }`, the form of every list for people. */
export function Page<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
}

/** The same for lists with a search: beyond a bound, `total` is only a minimum. */
export function SearchPage<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    totalIsBound: Type.Optional(
      Type.Literal(true, {
        description: `True: there are more than \`total\`, which is then ${limits.searchTotal}. Absent: \`total\` is exact`,
      }),
    ),
    limit: Type.Integer(),
    offset: Type.Integer(),
  })
}

/**
 * One e-mail address, with nothing that a mail header could read as a second address or another field. It is
 * trimmed before it is checked.
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
