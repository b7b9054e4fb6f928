/** The JSON Schema keywords of the contract. The invariants fail on an unknown keyword: add it here first. */
export type Schema = {
  type?: string | string[]
  enum?: readonly unknown[]
  const?: unknown
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  default?: unknown
  description?: string
  /** Trimmed before it is checked. */
  'x-trim'?: true
}

const words = new Set<string>([
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'default',
  'description',
  'x-trim',
])

export type Leaf = { path: string[]; schema: Schema; isRequired: boolean }

/** Everything inside an object schema, including lists and their items: `[]` is any item. */
export function leaves(schema: unknown, path: string[] = []): Leaf[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = known(schema as Schema)
  return Object.entries(properties).flatMap(([name, field]) => {
    const at = [...path, name]
    return [{ path: at, schema: known(field), isRequired: required.includes(name) }, ...inside(field, at)]
  })
}

function inside(schema: Schema, path: string[]): Leaf[] {
  if (schema.properties) return leaves(schema, path)
  if (!schema.items) return []
  const at = [...path, '[]']
  return [{ path: at, schema: known(schema.items), isRequired: true }, ...inside(schema.items, at)]
}

function known(schema: Schema): Schema {
  const unknown = Object.keys(schema).filter(word => !words.has(word))
  if (unknown.length > 0)
    throw new Error(`tests/invariants/schemas.ts does not know the schema word ${unknown.join(', ')}`)
  return schema
}

/** The types of a schema. */
export function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat()
}
