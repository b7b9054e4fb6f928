import type { Operation } from '#contract/operation.ts'
import { lastOf } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import { leaves, typesOf } from './schemas.ts'

/** The path of a text in a call: `params.id`, `body.departments.0`. */
export type TextPath = { path: string[]; value: string }

const parts = ['params', 'query', 'body'] as const

/**
 * The fields of an operation that accept a text: identifiers, names, free text. Not enumerations, times, and
 * the token of a stream, which is the credential.
 */
export function textsOf(contract: Operation): string[] {
  return parts.flatMap(part =>
    leaves(contract[part], [part])
      .filter(
        ({ schema }) => typesOf(schema).includes('string') && !schema.enum && schema.format === undefined,
      )
      .map(({ path }) => path.join('.').replaceAll('[]', '0'))
      .filter(path => !(contract.responseType === 'text/event-stream' && path === 'query.token')),
  )
}

/** The texts of a call. */
export function textsIn(call: Call): TextPath[] {
  return parts.flatMap(part => inside(call[part], [part]))
}

function inside(value: unknown, path: string[]): TextPath[] {
  if (typeof value === 'string') return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) => inside(field, [...path, key]))
}

/** The same call with another value at a path. `undefined` removes it. */
export function changed(call: Call, path: readonly string[], value: unknown): Call {
  const copy = structuredClone(call) as Record<string, unknown>
  let at = copy
  for (const key of path.slice(0, -1)) {
    at[key] ??= {}
    at = at[key] as Record<string, unknown>
  }
  const last = lastOf(path)
  if (value === undefined) delete at[last]
  // a plain assignment of this key would change the prototype
  else Object.defineProperty(at, last, { value, enumerable: true, configurable: true, writable: true })
  return copy as Call
}
