import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { Type } from '#contract/type.ts'
import { type ErrorDetail, fail } from '../fail.ts'
import { bounded, type Validator, validatorOf } from './validation.ts'

/** Makes a Fastify scope take JSON bodies only; `inputCheck` validates them. */
export function parseJsonBodies(scope: FastifyInstance, { isLenient = false } = {}): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer, isLenient))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Makes a Fastify scope take every body as raw bytes. */
export function parseRawBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Makes a Fastify scope accept HTML forms as bodies with text fields. */
export function parseUrlEncodedForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
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

/** Validates a value by the rules of bodies, for input in another form; undefined: it is valid. */
export function faultIn(schema: object): (value: unknown) => ErrorDetail | undefined {
  const validate = validatorOf(schema, 'body')
  return value => validate(value)[0]
}

/**
 * Validates path, query and body of requests by the schemas of an operation, and fills in defaults. Throws
 * VALIDATION_ERROR with all problems. Bodies are taken as they are; path and query are coerced from text.
 */
export function inputCheck({
  params,
  query,
  body,
  bodyOptional,
  ...contract
}: Operation): (request: FastifyRequest) => void {
  const ofParams = params && validatorOf(params, 'address')
  const ofQuery = query && validatorOf(query, 'address')
  const takesFields = contract.method !== 'GET' && !contract.requestType && !contract.takesRawBody
  const ofBody = takesFields ? validatorOf(body ?? noFields, 'body') : undefined
  return request => {
    // null counts as a body here, and is not valid
    if (request.body === undefined && bodyOptional) request.body = {}
    let faults = ofParams ? addressFaults(ofParams, request.params) : none
    if (ofQuery) faults = joined(faults, addressFaults(ofQuery, request.query))
    if (ofBody && (body || request.body !== undefined)) faults = joined(faults, ofBody(request.body))
    if (faults.length > 0) fail('VALIDATION_ERROR', { details: bounded(faults) })
  }
}

const none: readonly ErrorDetail[] = []
const noFields = Type.Object({}, { additionalProperties: false })

/**
 * JSON in valid UTF-8, within the limits of parts and depth, without NUL, lone surrogates, prototype keys, or
 * numbers that would be stored as other numbers.
 */
export function parseJson(body: Buffer, isLenient = false): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) fail('MALFORMED_BODY')
  // the largest body of a lenient operation costs no more than this many parts
  if (!isLenient && !hasFewParts(body))
    refuse('', 'parts', `must not have more than ${limits.jsonParts} fields and items`)
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    fail('MALFORMED_BODY')
  }
  if (isPlain(text) && isStorableAsRead(value, limits.jsonDepth)) return value
  if (isLenient) return storable(value, limits.jsonDepth)
  assertStorable(value, '', limits.jsonDepth)
  return value
}

/**
 * Anything that cannot be stored is written with an escape, except the one key: valid UTF-8 has no lone
 * surrogates.
 */
function isPlain(text: string): boolean {
  return !text.includes('\\u') && !text.includes('__proto__')
}

/** Whether the body is within the allowed depth and all its numbers can be stored. */
function isStorableAsRead(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return isExactNumber(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every(item => isStorableAsRead(item, depth - 1))
  for (const key in value)
    if (!isStorableAsRead((value as Record<string, unknown>)[key], depth - 1)) return false
  return true
}

/**
 * Whether the parsed number equals the sent one: `1e400` becomes Infinity, which JSON cannot hold, and an
 * integer beyond 2^53 may be off. Decimals are doubles, as everywhere in JSON.
 */
export function isExactNumber(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
}

const quote = 0x22
const backslash = 0x5c
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

/**
 * Whether JSON has at most `limits.jsonParts` fields and items. It counts before parsing: creating a million
 * objects takes twenty times as long as counting their brackets.
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

/** The same without anything that cannot be stored, for operations with `isLenient`. */
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
    refuse(path, 'number', 'must be a finite number, and at most 2^53 - 1 if it is an integer')
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      refuse(path, 'characters', 'must not contain NUL or broken characters')
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
    if (key === '__proto__') refuse(path, 'key', 'must not have the key __proto__')
    assertStorable(key, path, depth)
    assertStorable((value as Record<string, unknown>)[key], at, depth - 1)
  }
}

function joined(some: readonly ErrorDetail[], others: readonly ErrorDetail[]): readonly ErrorDetail[] {
  return others.length === 0 ? some : [...some, ...others]
}

function addressFaults(validate: Validator, data: unknown): readonly ErrorDetail[] {
  const unreadable = Object.entries((data ?? {}) as object).filter(([, value]) =>
    Array.isArray(value) ? value.some(isUnreadable) : isUnreadable(value),
  )
  if (unreadable.length === 0) return validate(data)
  return unreadable.map(([path]) => ({ path, code: 'characters', message: 'must be plain text in UTF-8' }))
}

function isUnreadable(value: unknown): boolean {
  return (
    typeof value === 'string' && (value.includes('\0') || value.includes('\ufffd') || !value.isWellFormed())
  )
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
