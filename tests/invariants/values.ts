import fc, { type Arbitrary } from 'fast-check'
import { defined } from '#tests/support/elements.ts'
import { type Schema, typesOf } from './schemas.ts'

/** Texts that have caused bugs somewhere. */
export const notorious = [
  '',
  ' ',
  '0',
  'null',
  'undefined',
  '-1',
  '1e999',
  'NaN',
  `'; drop table asset; --`,
  `%' or '1'='1`,
  '%',
  '_',
  '\\',
  '\\u0000',
  '{}',
  '[]',
  '{{7*7}}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\u202e\u200b\ufeff',
  'İıſK',
  'ﷺ'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(20),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  'a'.repeat(300),
  '__proto__',
  'constructor',
  '& | ! <-> :* "',
  `"unclosed`,
  'x:*',
  '-',
]

/** Valid times that calendars, clocks and databases treat differently. */
export const times = [
  '2016-12-31T23:59:60Z',
  '2024-02-29T12:00:00.000Z',
  '2024-06-01T12:00:00+14:00',
  '2024-06-01T12:00:00.123456789-12:00',
  '2024-06-01t12:00:00z',
  '2024-06-01T12:00:00.000-23:59',
  '2024-06-01T12:00:00.000+16:00',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1582-10-10T00:00:00Z',
  '9999-12-31T23:59:59.999-23:59',
  '1970-01-01T00:00:00.000Z',
]

/** Values that match a schema, as far as it says. */
export function fitting(schema: Schema): Arbitrary<unknown> {
  const {
    enum: words,
    const: only,
    properties,
    required = [],
    items,
    minItems = 0,
    maxItems = 20,
    uniqueItems,
  } = schema
  if (words) return fc.constantFrom(...words)
  if (only !== undefined) return fc.constant(only)
  const types = typesOf(schema)
  if (types.length === 0) return fc.jsonValue()
  const kinds: Record<string, () => Arbitrary<unknown>> = {
    string: () => texts(schema),
    integer: () => numbers(schema),
    number: () =>
      fc.oneof(
        numbers(schema),
        fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true, noDefaultInfinity: true }),
      ),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array() {
      const item = fitting(items ?? {})
      const size = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 20) }
      return uniqueItems ? fc.uniqueArray(item, size) : fc.array(item, size)
    },
    object() {
      if (!properties)
        return fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
      const fields = Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, fitting(field)]),
      )
      return fc.record(fields, { requiredKeys: required })
    },
  }
  return fc.oneof(...types.map(type => defined(kinds[type])()))
}

function texts({ pattern, format, minLength = 0, maxLength = 300 }: Schema): Arbitrary<string> {
  if (format === 'date-time' || format === 'date') {
    const dates = fc.date({
      noInvalidDate: true,
      min: new Date(-62_135_596_800_000),
      max: new Date(253_402_300_799_999),
    })
    const moments = fc.oneof(
      dates.map(date => date.toISOString()),
      fc.constantFrom(...times),
    )
    return format === 'date' ? moments.map(text => text.slice(0, 10)) : moments
  }
  if (format === 'currency') return fc.constantFrom('eur', 'usd', 'jpy', 'kwd')
  if (format) throw new Error(`tests/invariants/values.ts makes no ${format}`)
  const fits = (text: string) => text.length >= minLength && [...text].length <= maxLength
  if (pattern) {
    const expression = new RegExp(pattern, 'u')
    // fast-check knows no lookaheads: texts are generated without them, and those that they refuse are dropped
    const made = new RegExp(pattern.replaceAll(/\(\?[=!][^)]*\)/g, ''), 'u')
    const matching = fc.stringMatching(made).filter(text => fits(text) && expression.test(text))
    const known = notorious.filter(text => fits(text) && expression.test(text))
    return known.length > 0 ? fc.oneof(matching, fc.constantFrom(...known)) : matching
  }
  const known = notorious.filter(fits)
  const bounds = [minLength, Math.min(maxLength, 5_000)]
    .filter(length => length > 0)
    .map(length => 'é'.repeat(length))
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 300) }).filter(fits),
    fc.constantFrom(...known, ...bounds, 'x'.repeat(Math.max(minLength, 1))),
  )
}

function numbers({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: Schema): Arbitrary<number> {
  const whole = fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
  return fc.oneof(whole, fc.constantFrom(minimum, maximum))
}

/** Any value that a careless or hostile client may send. */
export const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...notorious,
    null,
    true,
    0,
    -0,
    -1,
    0.1,
    1e308,
    2 ** 53,
    -(2 ** 31) - 1,
    [],
    {},
    [[]],
    [null],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 2_000 }),
  fc.jsonValue({ maxDepth: 4 }),
)
