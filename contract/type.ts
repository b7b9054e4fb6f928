import type * as TypeBox from 'typebox'

/** The builders of TypeBox that the contract uses. */
type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>
type Schema = Record<string, unknown>

const optional = '~optional'

/**
 * Builds JSON Schemas with the types of TypeBox, which infers the type of a value from them. The objects are those
 * that TypeBox makes, apart from the marks that only its own functions read. Its 373 modules would take 25 MiB of a process
 * that starts (decision 0056).
 */
export const Type = {
  String: (options?: object) => schemaOf({ type: 'string' }, options),
  Integer: (options?: object) => schemaOf({ type: 'integer' }, options),
  Number: (options?: object) => schemaOf({ type: 'number' }, options),
  Boolean: (options?: object) => schemaOf({ type: 'boolean' }, options),
  Null: (options?: object) => schemaOf({ type: 'null' }, options),
  Unknown: (options?: object) => schemaOf({}, options),
  Literal: (value: unknown, options?: object) => schemaOf({ type: typeof value, const: value }, options),
  Array: (items: Schema, options?: object) => schemaOf({ type: 'array', items }, options),
  Union: (anyOf: Schema[], options?: object) => schemaOf({ anyOf }, options),
  Record: (_key: Schema, value: Schema, options?: object) =>
    schemaOf({ type: 'object', patternProperties: { '^.*$': value } }, options),
  Object: objectOf,
  /** Marks a property that may be missing; a spread of the schema loses the mark. */
  Optional: (schema: Schema) => markedAs(optional, schema),
  /** Drops the options of the object, as TypeBox does. */
  Partial: ({ properties }: { properties: Record<string, Schema> }) =>
    objectOf(
      Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, markedAs(optional, property)]),
      ),
    ),
  Unsafe: (schema: Schema) => markedAs('~unsafe', schema),
} as unknown as Builders

/** Whether a value was made by one of the builders. */
export function isSchema(value: object): boolean {
  return '~kind' in value || '~unsafe' in value
}

function objectOf(properties: Record<string, Schema>, options?: object): Schema {
  const required = Object.keys(properties).filter(name => !(optional in properties[name]!))
  return schemaOf({ type: 'object', ...(required.length > 0 && { required }), properties }, options)
}

function schemaOf(schema: Schema, options?: object): Schema {
  return Object.defineProperty({ ...schema, ...options }, '~kind', { value: true })
}

/** A copy with a property that is not listed, and so is not part of the JSON Schema. */
function markedAs(mark: string, schema: Schema): Schema {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  return Object.defineProperty(copy, mark, { value: true })
}
