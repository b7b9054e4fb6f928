import { exampleValues } from '#contract/examples.ts'
import type { Json } from './components.ts'

/** Builds example bodies from schemas and from contract/examples.ts. */
export type Examples = {
  /** `name` is the const of the operation. */
  bodyOf(operationId: string, name: string, schema: Json): unknown
}

/** `definitionOf` returns a named schema of the document. */
export function openExamples(definitionOf: (name: string) => Json | undefined): Examples {
  /** A value that matches a schema. `field` is the name of its property. */
  function sampleOf(schema: Json, field = ''): unknown {
    const { $ref, anyOf, examples, example, default: fallback, enum: words, type, items } = schema
    const ofField = exampleValues.fields[field]
    const isMade = Array.isArray(words) || type === 'array' || type === 'object'
    if (ofField !== undefined && !isMade) return ofField
    if (typeof $ref === 'string') return sampleOf(definitionOf($ref.split('/').at(-1)!) ?? {}, field)
    if (Array.isArray(examples)) return examples[0]
    if (example !== undefined) return example
    if ('const' in schema) return schema.const
    if (fallback !== undefined) return fallback
    if (Array.isArray(words)) return words[0]
    if (Array.isArray(anyOf)) return sampleOf(anyOf[0] as Json, field)
    const kind = Array.isArray(type) ? type[0] : type
    if (kind === 'object') return objectOf(schema)
    if (kind === 'array') return [sampleOf((items ?? {}) as Json, field)]
    if (kind === 'boolean') return true
    if (kind === 'integer' || kind === 'number') return Math.max(Number(schema.minimum ?? 1), 1)
    if (kind === 'string') return 'text'
    return 1
  }

  /** All required properties; if nothing is required, the first one. */
  function objectOf({ properties = {}, required = [] }: Json): Json {
    const fields = Object.entries(properties as Record<string, Json>)
    const needed = fields.filter(([name]) => (required as string[]).includes(name))
    const chosen = needed.length > 0 ? needed : fields.slice(0, 1)
    return Object.fromEntries(chosen.map(([name, field]) => [name, sampleOf(field, name)]))
  }

  return {
    bodyOf: (operationId, name, schema) =>
      exampleValues.bodies[operationId] ?? exampleValues.bodies[name] ?? sampleOf(schema),
  }
}
