import stringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { lazy } from '../lazy.ts'

/** Writes a reply as JSON, with the properties that its schema declares and no others, except in the items of long lists. */
export type Serializer = (value: unknown) => string | Buffer

/** From this many items on, a reply is serialized in parts. */
const manyItems = 200
/**
 * So many items have less than 128 KB of text in most replies. V8 keeps a longer text in memory of its own, which the system
 * hands out page by page; that can take longer than writing the text (decision 0024).
 */
const itemsInPart = 100

const serializers = new WeakMap<object, Serializer>()

/** The serializer of a schema, shared by all routes of an operation. */
export function serializerOf(schema: TSchema): Serializer {
  const known = serializers.get(schema)
  if (known) return known
  const inOnePart = lazy(() => stringify(schema))
  const { properties = {}, additionalProperties } = schema as ObjectSchema
  const names = Object.keys(properties)
  const lists = additionalProperties ? [] : names.filter(name => properties[name]?.type === 'array')
  const made: Serializer =
    lists.length === 0
      ? inOnePart
      : value => {
          const reply = value as Record<string, unknown>
          return lists.some(list => isLong(reply[list])) ? inParts(reply, names) : inOnePart(reply)
        }
  serializers.set(schema, made)
  return made
}

type ObjectSchema = { properties?: Record<string, { type?: string }>; additionalProperties?: unknown }

const isLong = (list: unknown) => Array.isArray(list) && list.length >= manyItems

/** Writes the declared properties. Those of items are not looked at, which is faster; the tests check them. */
function inParts(value: Record<string, unknown>, names: readonly string[]): Buffer {
  const parts: Buffer[] = []
  const write = (text: string) => void parts.push(Buffer.from(text))
  let separator = '{'
  for (const name of names) {
    const one = value[name]
    if (one === undefined) continue
    write(`${separator}${JSON.stringify(name)}:`)
    if (Array.isArray(one)) writeItems(one, write)
    else write(JSON.stringify(one))
    separator = ','
  }
  write('}')
  return Buffer.concat(parts)
}

function writeItems(items: readonly unknown[], write: (text: string) => void): void {
  write('[')
  for (let at = 0; at < items.length; at += itemsInPart) {
    const part = JSON.stringify(items.slice(at, at + itemsInPart)).slice(1, -1)
    write(at === 0 ? part : `,${part}`)
  }
  write(']')
}
