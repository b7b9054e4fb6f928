import { limits } from './limits.ts'

/** A character outside the BMP, written in JSON as two escapes. */
const bytesOfCharacter = 12
/** A number, a word of an enumeration or a text of a fixed form, with its punctuation. */
const bytesOfShort = 100
/** An object or list without a schema. */
const bytesOfFree = limits.bodyBytes

type Schema = {
  type?: string | readonly string[]
  enum?: unknown
  anyOf?: readonly Schema[]
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}

/**
 * The largest body that fits a schema: every character that its fields allow, in any alphabet and with any
 * escaping, within `limits`.
 */
export function bodyBytesOf(schema: object): number {
  return Math.min(limits.bodyBytesMost, Math.max(limits.bodyBytes, Math.ceil(bytesOf(schema))))
}

function bytesOf({ type, enum: words, anyOf, maxLength, maxItems, items, properties }: Schema): number {
  if (words !== undefined) return bytesOfShort
  if (anyOf) return Math.max(...anyOf.map(bytesOf))
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'string') return maxLength === undefined ? bytesOfShort : maxLength * bytesOfCharacter
  if (kind === 'array') return items && maxItems !== undefined ? maxItems * bytesOf(items) : bytesOfFree
  if (kind !== 'object') return bytesOfShort
  if (!properties) return bytesOfFree
  return Object.entries(properties).reduce((sum, [name, field]) => sum + name.length + bytesOf(field), 0)
}
