import type { TSchema } from 'typebox'
import { exampleValues } from '#contract/examples.ts'
import { identity } from '#contract/shapes.ts'
import { required } from '#platform/required.ts'

export type Json = Record<string, unknown>

/** Replaces named schemas by references, and collects them. */
export type Components = {
  /** The schema for the document. */
  refer(schema: TSchema): Json
  /** The same, under a name that is not in the contract. */
  name(name: string, schema: TSchema): Json
  /** A named schema of the document. */
  definitionOf(name: string): Json | undefined
  /** All named schemas. */
  used(): Record<string, Json>
}

/**
 * A schema has a name if the contract uses the const of that name there, or a copy of it: `Type.Optional`,
 * `Nullable` and `Name` make copies. A schema that only looks the same has no name.
 */
export function openComponents(named: ReadonlyMap<string, TSchema>): Components {
  const names = new Map<unknown, string>()
  const used = new Map<string, Json | undefined>()
  for (const [name, schema] of named) {
    const key = identityOf(schema as Json)
    // if two consts are the same schema, the first gives the name
    if (key !== undefined && !names.has(key)) names.set(key, name)
  }

  function refer(schema: Json): Json {
    const { type } = schema
    if (!Array.isArray(type) || type.length !== 2 || type[1] !== 'null')
      return referenceTo(schema) ?? inside(schema)
    const { description, default: fallback, ...some } = withoutNull(schema)
    const reference = referenceTo(some)
    if (!reference) return inside(schema)
    const { description: own } = named.get(nameOf(some)!) as Json
    return {
      ...(description !== own && { description }),
      ...(fallback !== undefined && { default: fallback }),
      anyOf: [reference, { type: 'null' }],
    }
  }

  function nameOf(schema: Json): string | undefined {
    return names.get(identityOf(schema))
  }

  /**
   * A reference, with the keywords that differ from the named schema, unless the schema removes some of its
   * keywords.
   */
  function referenceTo(schema: Json): Json | undefined {
    const name = nameOf(schema)
    if (!name) return undefined
    const whole = named.get(name) as Json
    const more = Object.keys(schema).filter(key => !isSame(schema[key], whole[key]))
    const isNarrower = more.every(key => annotations.has(key) || whole[key] === undefined)
    const isWhole = Object.keys(whole).every(key => annotations.has(key) || schema[key] !== undefined)
    if (!isNarrower || !isWhole) return undefined
    define(name, whole)
    return {
      $ref: `#/components/schemas/${name}`,
      ...inside(Object.fromEntries(more.map(key => [key, schema[key]]))),
    }
  }

  function define(name: string, schema: Json): void {
    if (used.has(name)) return
    // it may refer to itself
    used.set(name, undefined)
    const example = exampleValues.schemas[name]
    used.set(name, { ...inside(schema), ...(example !== undefined && { examples: [example] }) })
  }

  /** The same schema with references inside. */
  function inside(schema: Json): Json {
    // without keywords of our own validator
    const copy = Object.fromEntries(Object.entries(schema).filter(([key]) => !key.startsWith('x-')))
    if (typeof schema.pattern === 'string') {
      copy.pattern = portable(schema.pattern)
      // a character class that needs the flag is left out: the description states the rule
      if (/\\p\{/.test(copy.pattern as string)) delete copy.pattern
    }
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
    refer: schema => refer(schema as Json),
    name(name, schema) {
      used.set(name, inside(schema as Json))
      return { $ref: `#/components/schemas/${name}` }
    },
    definitionOf: name => used.get(name),
    used: () =>
      Object.fromEntries(
        [...used]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, schema]) => [name, required(schema, name)]),
      ),
  }
}

/** Keywords that do not affect validation. */
const annotations: ReadonlySet<string> = new Set(['description', 'default'])

/** The part of a schema that its copies share with it, and that no other schema has. */
function identityOf(schema: Json): unknown {
  return (schema as { [identity]?: unknown })[identity] ?? schema.properties
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function withoutNull({ type, enum: words, ...rest }: Json): Json {
  return {
    type: (type as string[])[0],
    ...(words ? { enum: (words as unknown[]).filter(word => word !== null) } : {}),
    ...rest,
  }
}

/** A pattern with the same meaning for programs that do not use the flag `u`, as most do. */
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
