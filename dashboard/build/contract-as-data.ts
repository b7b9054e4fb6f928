import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { TObject, TSchema } from 'typebox'
import type { Plugin } from 'vite'
import { isOperation, type Operation } from '#contract/operation.ts'
import { isSchema } from '#contract/type.ts'
import { routeOf } from '../../tools/operation-route.ts'

/** The facts about one field of the body of an operation that a form needs. */
export type FieldData = {
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'list' | 'object' | 'choice'
  readonly isRequired: boolean
  readonly isNullable?: true
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly values?: readonly string[]
}
export type Fields = Readonly<Record<string, FieldData>>

/** Names one export of a module of the contract. */
const exportQuery = '?export='

/**
 * A Vite plugin that serves the modules of the contract as data: the route of each operation, who may call
 * it, and the bounds of its fields. The schemas of replies stay outside the browser.
 */
export function contractAsData(contractFolder: string): Plugin {
  return {
    name: 'contract-as-data',
    enforce: 'pre',
    resolveId(source) {
      return source.includes(exportQuery) ? source : null
    },
    async load(id) {
      const [path = '', only] = id.split(exportQuery)
      // route.ts has code and imports nothing
      if (!path.startsWith(`${contractFolder}/`) || path.endsWith('/route.ts')) return null
      this.addWatchFile(path)
      // a changed module is loaded anew while somebody edits it
      const { mtimeMs } = statSync(path)
      const exported = (await import(`${pathToFileURL(path).href}?${mtimeMs}`)) as Record<string, unknown>
      const lines = Object.entries(exported).flatMap(([name, value]) => {
        const data = dataOf(value)
        if (data === undefined || (only !== undefined && only !== name)) return []
        // a module of its own, so that a screen that lists loads nothing of the screens that write
        if (only === undefined)
          return [`export { ${name} } from ${JSON.stringify(`${path}${exportQuery}${name}`)}`]
        return [`export const ${name} = /* @__PURE__ */ Object.freeze(${JSON.stringify(data)})`]
      })
      return { code: lines.join('\n'), map: null, moduleSideEffects: false }
    },
  }
}

/** An operation as data, plain data as it is; undefined for schemas and functions, which stay on the server. */
function dataOf(value: unknown): unknown {
  if (isOperation(value)) return operationData(value)
  if (typeof value === 'function' || isSchemaLike(value)) return undefined
  return withoutSchemas(value)
}

function operationData(operation: Operation): object {
  const { module, alsoModule, capability, feature } = operation
  return {
    ...routeOf(operation),
    module,
    alsoModule,
    capability,
    feature,
    // forms send a body; what a query may contain, screens say themselves
    fields: fieldsOf(operation.body),
  }
}

function fieldsOf(schema: TSchema | undefined): Record<string, FieldData> {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<TObject>
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      fieldOf(property as JsonSchema, (required as string[]).includes(name)),
    ]),
  )
}

type JsonSchema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
} & Omit<FieldData, 'type' | 'isRequired' | 'values'>

function fieldOf(schema: JsonSchema, isRequired: boolean): FieldData {
  const types = [schema.type ?? []].flat()
  const isNullable = types.includes('null') || schema.anyOf?.some(({ type }) => type === 'null')
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  const { minLength, maxLength, pattern, format, minimum, maximum, maxItems } = {
    ...schema,
    ...inner,
  }
  return {
    type: typeOf(inner),
    isRequired,
    ...(isNullable && { isNullable: true }),
    minLength,
    maxLength,
    pattern,
    format,
    minimum,
    maximum,
    maxItems,
    ...(inner.enum && { values: inner.enum.filter(value => typeof value === 'string') }),
  }
}

function typeOf({ type, enum: values }: JsonSchema): FieldData['type'] {
  if (values) return 'choice'
  const [first] = [type ?? 'string'].flat().filter(name => name !== 'null')
  if (first === 'array') return 'list'
  if (first === 'string') return 'text'
  return first as 'number' | 'integer' | 'boolean' | 'object'
}

/** Whether a value is a schema, or a part of one that a spread has copied. */
function isSchemaLike(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    isSchema(value) ||
    ('type' in value &&
      ['object', 'string', 'array', 'integer', 'number', 'boolean'].includes(value.type as string))
  )
}

function withoutSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSchemas)
  if (value instanceof RegExp || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => typeof part !== 'function' && !isSchemaLike(part))
      .map(([name, part]) => [name, withoutSchemas(part)]),
  )
}
