type Schema = {
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
}

/** The TypeScript type of a schema. Throws for schemas that the contract does not use yet. */
export function typeOf(given: object, indent = ''): string {
  const schema = given as Schema
  const { type, enum: words, anyOf } = schema
  if (words) return words.map(word => JSON.stringify(word)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (anyOf) return anyOf.map(one => typeOf(one, indent)).join(' | ')
  if (Array.isArray(type)) return type.map(one => typeOf({ ...schema, type: one }, indent)).join(' | ')
  switch (type) {
    case undefined:
      return 'unknown'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, indent)}>`
    case 'object':
      return objectType(schema, indent)
    default:
      throw new Error(`No TypeScript type is known for ${JSON.stringify(schema)}`)
  }
}

function objectType({ properties, required = [], ...rest }: Schema, indent: string): string {
  if (!properties) return `Record<string, ${typeOf(valuesOf(rest), indent)}>`
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name)
    const mark = required.includes(name) ? '' : '?'
    return `${docOf(field.description, inner)}${inner}${key}${mark}: ${typeOf(field, inner)}\n`
  })
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`
}

function valuesOf({ patternProperties = {}, additionalProperties }: Schema): Schema {
  const [values = additionalProperties] = Object.values(patternProperties)
  return typeof values === 'object' ? values : {}
}

/** A description as a comment before its property. */
export function docOf(text: string | undefined, indent = ''): string {
  const lines = text?.replaceAll('*/', '*\\/').replace(/\n+/g, `\n${indent} * `)
  return lines ? `${indent}/** ${lines} */\n` : ''
}
