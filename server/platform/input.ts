import { isUtf8 } from 'node:buffer'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { limits } from '#contract/limits.ts'
import { isCurrency } from './currency.ts'
import { type ErrorDetail, fail, Refusal } from './fail.ts'
import { whenNeeded } from './when-needed.ts'

const common = { allErrors: false, strict: false, useDefaults: true, removeAdditional: false } as const
// a body says what it means; the address can only carry text, and a list of one there looks like one text
const strict = withFormats(new Ajv.default({ ...common, coerceTypes: false }))
const coercing = withFormats(new Ajv.default({ ...common, coerceTypes: 'array' }))

function withFormats(ajv: Ajv.default): Ajv.default {
  return addFormats.default(ajv).addFormat('currency', isCurrency)
}

/** Bodies are validated as they are; only query and params are coerced. */
export function readInputStrictly(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    return whenNeeded(() => {
      const validator = (httpPart === 'body' ? strict : coercing).compile(schema as object)
      return data => {
        if (httpPart !== 'body') assertPlainText(data)
        if (validator(data)) return { value: data }
        const details = validator.errors!.map(error => detail(schema as object, error))
        return { error: new Refusal('VALIDATION_ERROR', { details }) }
      }
    })
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseJson(body as Buffer, request.routeOptions.config.isTolerant === true))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Makes a room of the app take every body as its bytes. */
export function takeBytes(room: FastifyInstance): void {
  room.removeAllContentTypeParsers()
  room.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Lets a room of the app take forms of pages as bodies: their fields are texts. */
export function readForms(room: FastifyInstance): void {
  room.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      try {
        const fields = Object.fromEntries(new URLSearchParams(body as string))
        assertStorable(fields, '', 1)
        done(null, fields)
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** Says what is wrong with a value by the rules of bodies, for what arrives in another form; undefined: nothing. */
export function faultIn(schema: object): (value: unknown) => ErrorDetail | undefined {
  return whenNeeded(() => {
    const validator = strict.compile(schema)
    return value => (validator(value) ? undefined : detail(schema, validator.errors![0]!))
  })
}

/**
 * JSON in valid UTF-8, with no more parts and no deeper than allowed, without NUL, lone surrogates, keys that reach a
 * prototype, or numbers that would be stored as other numbers.
 */
function parseJson(body: Buffer, isTolerant: boolean): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) fail('MALFORMED_BODY')
  // the longest body of a tolerant operation costs no more than these parts do
  if (!isTolerant && !hasFewParts(body))
    refuse('', 'parts', `must not hold more than ${limits.jsonParts} fields and items`)
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    fail('MALFORMED_BODY')
  }
  if (isPlain(text) && isKept(value, limits.jsonDepth)) return value
  if (isTolerant) return storable(value, limits.jsonDepth)
  assertStorable(value, '', limits.jsonDepth)
  return value
}

/** Whatever cannot be kept is written with an escape, but for the one key: valid UTF-8 has no lone surrogates. */
function isPlain(text: string): boolean {
  return !text.includes('\\u') && !text.includes('__proto__')
}

/** Whether the body is no deeper than allowed, and all its numbers can be kept. */
function isKept(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return isExactNumber(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every(item => isKept(item, depth - 1))
  for (const key in value) if (!isKept((value as Record<string, unknown>)[key], depth - 1)) return false
  return true
}

/**
 * Whether the number that was read is the one that was sent: `1e400` becomes Infinity, which JSON cannot hold, and an
 * integer beyond 2^53 may be one of its neighbours. Decimals are doubles, as everywhere in JSON.
 */
export function isExactNumber(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
}

const quote = 0x22
const backslash = 0x5c
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

/**
 * Whether JSON holds at most `limits.jsonParts` fields and items, counted before it is parsed: making objects of a
 * million brackets takes twenty times as long as counting them.
 */
export function hasFewParts(json: Buffer): boolean {
  let parts = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) at = endOfText(json, at + 1)
    else if (byte === comma || byte === bracket || byte === brace) {
      if (++parts > limits.jsonParts) return false
    }
  }
  return true
}

function endOfText(json: Buffer, from: number): number {
  for (let at = from; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  return json.length
}

/** The same without what cannot be kept, for operations that take what they are given: see Endpoint.tolerant. */
function storable(value: unknown, depth: number): unknown {
  if (isStorable(value, depth)) return value
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (typeof value !== 'object' || value === null || depth === 0) return null
  if (Array.isArray(value)) return value.map(item => storable(item, depth - 1))
  const clean: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key !== '__proto__')
      clean[storable(key, depth) as string] = storable((value as Record<string, unknown>)[key], depth - 1)
  }
  return clean
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every(item => isStorable(item, depth - 1))
  for (const key in value) {
    if (key === '__proto__' || !isStorable(key, 1)) return false
    if (!isStorable((value as Record<string, unknown>)[key], depth - 1)) return false
  }
  return true
}

function assertStorable(value: unknown, path: string, depth: number): void {
  if (typeof value === 'number' && !isExactNumber(value))
    refuse(path, 'number', 'must be a number that JSON can keep: finite, and an integer only up to 2^53 - 1')
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      refuse(path, 'characters', 'must not hold NUL or broken characters')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth === 0) refuse(path.slice(0, 100), 'depth', `must not be nested deeper than ${limits.jsonDepth}`)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertStorable(item, `${path}.${index}`, depth - 1)
    return
  }
  for (const key of Object.keys(value)) {
    const at = path === '' ? key : `${path}.${key}`
    if (key === '__proto__') refuse(path, 'key', 'must not hold the key __proto__')
    assertStorable(key, path, depth)
    assertStorable((value as Record<string, unknown>)[key], at, depth - 1)
  }
}

function assertPlainText(data: unknown): void {
  for (const [key, value] of Object.entries((data ?? {}) as object)) {
    if (
      typeof value === 'string' &&
      (value.includes('\0') || value.includes('\ufffd') || !value.isWellFormed())
    ) {
      refuse(key, 'characters', 'must be plain text in UTF-8')
    }
  }
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}

type AjvError = {
  instancePath: string
  schemaPath: string
  keyword: string
  message?: string
  params: Record<string, unknown>
}
function detail(
  schema: object,
  { instancePath, schemaPath, keyword, message, params }: AjvError,
): ErrorDetail {
  const field = params.missingProperty ?? params.additionalProperty
  const path = `${instancePath}${field ? `/${field}` : ''}`.slice(1).replaceAll('/', '.')
  if (keyword === 'additionalProperties')
    return { path, code: 'unknown', message: 'is not a field of this operation' }
  if (keyword === 'enum') {
    return { path, code: 'enum', message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` }
  }
  const form = keyword === 'pattern' || keyword === 'format' ? formAt(schema, schemaPath) : undefined
  return { path, code: keyword, message: form ?? message ?? 'is not valid' }
}

/** What a text is to look like, in the words of its schema: a pattern tells people little. */
function formAt(schema: object, schemaPath: string): string | undefined {
  const steps = schemaPath.split('/').slice(1, -1)
  const place = steps.reduce((at, step) => at[step] as Node, schema as Node)
  if (place.pattern === '\\S') return 'must not be blank'
  return place.description === undefined ? undefined : `does not fit: ${place.description}`
}
type Node = { [keyword: string]: unknown }
