import type { TSchema } from 'typebox'
import { exampleValues } from '#contract/examples.ts'

export type Json = Record<string, unknown>

/** Replaces schemas that have a name by references, and collects what they refer to. */
export type Components = {
  /** The schema as it stands in the document. */
  refer(schema: TSchema): Json
  /** The same, under a name that the contract does not give it. */
  name(name: string, schema: TSchema): Json
  /** A named schema that is referred to. */
  definitionOf(name: string): Json | undefined
  /** All of them, by name. */
  used(): Record<string, Json>
}

/**
 * Schemas are recognized by what they say, because `Type.Optional` and `Nullable` copy them. The description of an
 * object may differ, since its fields tell what it is; that of a text or a number may not.
 */
export function openComponents(named: ReadonlyMap<string, TSchema>): Components {
  const names = new Map<string, string>()
  const signs = new Set<string>()
  const schemas = new Map<string, Json>()
  const used = new Map<string, Json | undefined>()
  for (const [name, schema] of named) {
    const plain = plainJson(schema)
    if (!isWorthAName(plain)) continue
    names.set(keyOf(plain), name)
    signs.add(signOf(plain))
    schemas.set(name, plain)
  }

  const nameOf = (schema: Json) => (signs.has(signOf(schema)) ? names.get(keyOf(schema)) : undefined)

  function refer(schema: Json): Json {
    const name = nameOf(schema)
    if (name) return referTo(name, schema)
    // a named text that is shorter here
    const { maxLength, ...unbounded } = schema
    const nameOfLonger = maxLength !== undefined && nameOf(unbounded)
    if (nameOfLonger) return { ...referTo(nameOfLonger, unbounded), maxLength }
    const { type } = schema
    if (Array.isArray(type) && type.length === 2 && type[1] === 'null') {
      const { description, ...some } = withoutNull(schema)
      // the description is of the schema itself, or was added to it
      const whole = refer({ ...some, ...(description !== undefined && { description }) })
      const { $ref, maxLength, ...rest } = whole.$ref ? whole : refer(some)
      if ($ref) {
        const one = { $ref, ...(maxLength !== undefined && { maxLength }) }
        return { ...rest, ...(!whole.$ref && { description }), anyOf: [one, { type: 'null' }] }
      }
    }
    return inside(schema)
  }

  function referTo(name: string, { description }: Json): Json {
    if (!used.has(name)) {
      used.set(name, undefined)
      const example = exampleValues.schemas[name]
      used.set(name, {
        ...inside(schemas.get(name)!),
        ...(example !== undefined && { examples: [example] }),
      })
    }
    const isOwn = description === undefined || description === schemas.get(name)!.description
    return { $ref: `#/components/schemas/${name}`, ...(!isOwn && { description }) }
  }

  /** The same schema, with references inside. */
  function inside(schema: Json): Json {
    const copy = { ...schema }
    // what our own validator does beyond JSON Schema
    for (const key of Object.keys(copy)) if (key.startsWith('x-')) delete copy[key]
    if (typeof schema.pattern === 'string') copy.pattern = portable(schema.pattern)
    if (isObject(schema.properties)) {
      copy.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, field]) => [name, refer(field as Json)]),
      )
    }
    for (const key of ['items', 'additionalProperties'])
      if (isObject(schema[key])) copy[key] = refer(schema[key])
    if (Array.isArray(schema.anyOf)) copy.anyOf = schema.anyOf.map(one => refer(one as Json))
    return copy
  }

  return {
    refer: schema => refer(plainJson(schema)),
    name(name, schema) {
      used.set(name, inside(plainJson(schema)))
      return { $ref: `#/components/schemas/${name}` }
    },
    definitionOf: name => used.get(name),
    used: () =>
      Object.fromEntries(
        [...used].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => [name, schema!]),
      ),
  }
}

/** A text or a number of its own has a description: without one its bounds may be those of anything. */
function isWorthAName(schema: Json): boolean {
  return schema.type === 'object' ? isObject(schema.properties) : schema.description !== undefined
}

function withoutNull({ type, enum: words, ...rest }: Json): Json {
  return {
    type: (type as string[])[0],
    ...(words ? { enum: (words as unknown[]).filter(word => word !== null) } : {}),
    ...rest,
  }
}

/** What two schemas of one name have in common, cheap to compare: most schemas have no name. */
function signOf({ properties, description }: Json): string {
  return isObject(properties) ? Object.keys(properties).sort().join() : String(description)
}

function keyOf(schema: Json): string {
  const { description, ...rest } = schema
  return JSON.stringify(inOrder(rest.properties ? rest : schema))
}

/** The same with its keys in order, since two schemas that say the same may say it in another order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, inOrder(inner)]),
  )
}

/** Without what the library of schemas keeps beside their words. */
function plainJson(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema))
}

/** A pattern that means the same to programs that read it without the flag `u`, as most do. */
function portable(pattern: string): string {
  return Object.entries(classes).reduce(
    (text, [name, characters]) => text.replaceAll(name, characters),
    pattern,
  )
}
const classes = {
  '\\p{Cc}': '\\x00-\\x1f\\x7f-\\x9f',
  '\\p{Zl}': '\\u2028',
  '\\p{Zp}': '\\u2029',
  '\\p{Z}': ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000',
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
