import type { ErrorCode } from '#contract/errors.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { boundary, type Call, type FormPart } from './ask.ts'
import { leaves, type Schema, typesOf } from './schemas.ts'
import { changed } from './texts.ts'

/** A call that differs from a valid one in one thing, and must be refused. */
export type InvalidCall = { what: string; call: Call }

/** Every way to break one rule of the schemas in a valid call: bounds, words, types, presence. */
export function invalidCalls(contract: Operation, validCall: Call): InvalidCall[] {
  const list: InvalidCall[] = []
  for (const part of ['params', 'query', 'body'] as const) {
    const isText = part !== 'body'
    for (const { path, schema, isRequired } of leaves(contract[part], [part])) {
      if (path.join('.') === 'query.token' && contract.responseType) continue
      const at = path.map(key => (key === '[]' ? '0' : key))
      const where = path.join('.')
      for (const [what, value] of wrongValues(schema, isText)) {
        if (part === 'params' && value === '') continue
        const call = changed(withListAt(validCall, at), at, value)
        list.push({ what: `${where} ${what}`, call })
      }
      // an item has no name that could be left out
      if (isRequired && part !== 'params' && path.at(-1) !== '[]') {
        list.push({ what: `${where} is missing`, call: changed(withListAt(validCall, at), at, undefined) })
      }
      // a list of texts may have any number of them
      const item = path.at(-1) === '[]' ? schema : schema.items
      const mayRepeat = item !== undefined && item.enum === undefined
      if (isText && part === 'query' && !mayRepeat) {
        list.push({
          what: `${where} is there twice`,
          call: changed(validCall, at, [valueAt(validCall, at) ?? '1', '2']),
        })
      }
    }
  }
  if (contract.isLenient)
    return [...list.filter(({ what }) => !tolerated.test(what)), ...wrongBodies(validCall)]
  if (contract.requestType) list.push(...invalidForms(contract, validCall))
  if (!contract.body && !contract.requestType && !contract.takesRawBody && contract.method !== 'GET')
    list.push({
      what: 'body has a field where none is taken',
      call: { ...validCall, body: { noSuchField: 1 } },
    })
  if (contract.body) {
    list.push({ what: 'body has an unknown field', call: changed(validCall, ['body', 'noSuchField'], 1) })
    list.push(...wrongBodies(validCall))
  }
  return list
}

/** Problems that an operation with `isLenient` accepts. */
const tolerated = /^body\..* (?:holds NUL|holds half a character|reaches a prototype|is too deep)$/

function wrongBodies(validCall: Call): InvalidCall[] {
  return [[], 'text', 1, true, null].map(body => ({
    what: `body is ${JSON.stringify(body)}`,
    call: { ...validCall, body },
  }))
}

/** The same for a form, whose fields are texts and files. */
function invalidForms(contract: Operation, validCall: Call): InvalidCall[] {
  const parts = validCall.form ?? []
  const list: [what: string, form: FormPart[]][] = [
    ['nothing in it', []],
    ['an unknown field', [...parts, { name: 'noSuchField', value: '1' }]],
    ['an unknown file', [...parts, { name: 'noSuchFile', value: '1', filename: '1.txt' }]],
    ['a field that reaches a prototype', [...parts, { name: '__proto__', value: '1' }]],
    ['a name without an end', [...parts, { name: 'n'.repeat(5_000), value: '1' }]],
  ]
  for (const [name, schema] of Object.entries((contract.formFields ?? {}) as Record<string, Schema>)) {
    const { format, maxLength } = schema.items ?? schema
    const others = parts.filter(part => part.name !== name)
    if (format === 'binary') {
      list.push([`no ${name}`, others], [`a text as ${name}`, [...others, { name, value: 'text' }]])
    } else {
      const text = (value: string) => [{ name, value }, ...others]
      list.push([`a file as ${name}`, [{ name, value: 'a', filename: 'a' }, ...others]])
      list.push([`NUL in ${name}`, text('a\0b')], [`no text as ${name}`, text('')])
      if (maxLength !== undefined)
        list.push([`${name} longer than ${maxLength}`, text('x'.repeat(maxLength + 1))])
    }
  }
  return list.map(([what, form]) => ({ what: `form has ${what}`, call: { ...validCall, form } }))
}

/** Values that a schema does not accept. In a URL everything is text, so only unparsable values are wrong. */
function wrongValues(schema: Schema, isText: boolean): [what: string, value: unknown][] {
  const { minLength, maxLength, pattern, format, minimum, maximum, minItems, maxItems, items, uniqueItems } =
    schema
  const types = typesOf(schema)
  const list: [string, unknown][] = []
  if (schema.enum) {
    list.push(['is no word of the list', 'NO_SUCH_WORD'])
    // some words have no case
    if (!schema.enum.includes(flipped(schema))) list.push(['is a word in the wrong case', flipped(schema)])
  } else if (types.includes('string')) {
    if (maxLength !== undefined) list.push([`is longer than ${maxLength}`, 'x'.repeat(maxLength + 1)])
    if (minLength !== undefined && minLength > 0)
      list.push([`is shorter than ${minLength}`, 'x'.repeat(minLength - 1)])
    if (pattern !== undefined) list.push(['does not fit its pattern', outside(pattern)])
    if (format !== undefined)
      list.push([`is no ${format}`, 'yesterday'], [`is no real ${format}`, '2026-02-31T00:00:00.000Z'])
    list.push(['holds NUL', 'a\0b'])
    if (!isText) list.push(['holds half a character', 'a\ud800b'])
  }
  if (types.includes('integer') || types.includes('number')) {
    if (minimum !== undefined) list.push([`is less than ${minimum}`, minimum - 1])
    if (maximum !== undefined) list.push([`is more than ${maximum}`, maximum + 1])
    if (types.includes('integer')) list.push(['is no whole number', 1.5])
    list.push(['is no number', 'many'], ['is endless', '1e999'])
  }
  if (types.includes('boolean')) list.push(['is no truth value', 'perhaps'])
  if (types.includes('array')) {
    if (maxItems !== undefined)
      list.push([
        `has more than ${maxItems} items`,
        Array.from({ length: maxItems + 1 }, (_, at) => itemAt(items, at)),
      ])
    if (minItems)
      list.push([
        `has fewer than ${minItems} items`,
        Array.from({ length: minItems - 1 }, (_, at) => itemAt(items, at)),
      ])
    if (uniqueItems) list.push(['repeats an item', [itemAt(items, 0), itemAt(items, 0)]])
  }
  if (!isText && types.length > 0) {
    const samples: Record<string, unknown> = {
      string: 'text',
      number: 7,
      boolean: true,
      array: ['x'],
      object: { a: 1 },
      null: null,
    }
    for (const [type, value] of Object.entries(samples)) {
      if (!types.includes(type) && !(type === 'number' && types.includes('integer')))
        list.push([`is ${JSON.stringify(value)}`, value])
    }
  }
  if (types.includes('object') && !isText) {
    list.push(
      ['reaches a prototype', JSON.parse('{"__proto__":{"a":1}}')],
      ['is too deep', nested(limits.jsonDepth + 2)],
    )
  }
  return list
}

function itemAt(items: Schema | undefined, at: number): unknown {
  if (items?.enum) return items.enum[at % items.enum.length]
  return `${'x'.repeat(Math.max(0, (items?.minLength ?? 1) - 4))}${at}`
}

function flipped({ enum: words }: Schema): string {
  const word = String(words?.[0])
  return word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase()
}

/** A text that does not match a pattern. */
function outside(pattern: string): string {
  const fits = new RegExp(pattern, 'u')
  const found = ['', ' ', '\u2028', '!', '<>', 'a b', '-', 'A', '1', 'é', '..'].find(
    text => text !== '' && !fits.test(text),
  )
  if (found === undefined) throw new Error(`tests/invariants/invalid-calls.ts has no text outside ${pattern}`)
  return found
}

function nested(depth: number): unknown {
  return depth === 0 ? {} : { a: nested(depth - 1) }
}

/** The same call with a list where an item is needed. */
function withListAt(call: Call, path: string[]): Call {
  const list = path.lastIndexOf('0')
  if (list < 1 || valueAt(call, path.slice(0, list)) !== undefined) return call
  return changed(call, path.slice(0, list), [])
}

function valueAt(call: Call, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], call)
}

export type InvalidBody = {
  what: string
  type: string
  body: string | Uint8Array<ArrayBuffer>
  code: ErrorCode
}

/** Bodies that are not JSON objects, and their error codes. */
export function invalidBodies(contract: Operation, validCall: string): InvalidBody[] {
  if (!contract.body) return []
  const invalid = new TextEncoder().encode('{"a":"~"}')
  invalid[6] = 0xff
  const json: [what: string, body: InvalidBody['body'], code: ErrorCode][] = [
    ['cut JSON', validCall.slice(0, -1), 'MALFORMED_BODY'],
    ['two values', `${validCall}${validCall}`, 'MALFORMED_BODY'],
    ['a trailing comma', '{"a":1,}', 'MALFORMED_BODY'],
    ['no JSON', 'name=value', 'MALFORMED_BODY'],
    ['invalid UTF-8', invalid, 'MALFORMED_BODY'],
    ['UTF-16', new Uint8Array(Buffer.from(validCall, 'utf16le')), 'MALFORMED_BODY'],
    ['a NUL byte', `${validCall}\0`, 'MALFORMED_BODY'],
    ['a prototype key', '{"__proto__":{"isAdministrator":true}}', 'VALIDATION_ERROR'],
    ['a body that is too deep', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'VALIDATION_ERROR'],
    [
      'a body that is too large',
      `{"a":"${'x'.repeat(contract.bodyBytes ?? limits.bodyBytes)}"}`,
      'BODY_TOO_LARGE',
    ],
  ]
  const form = 'application/x-www-form-urlencoded'
  const types: [type: string, body: string][] = [
    ['text/plain', validCall],
    [form, 'name=value'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>'],
    ['json', validCall],
  ]
  return [
    ...json.map(([what, body, code]) => ({ what, type: 'application/json', body, code })),
    ...types.map(([type, body]) => {
      // a page accepts a form, and validates its fields
      const code = contract.isHtmlPage && type === form ? 'VALIDATION_ERROR' : 'UNSUPPORTED_MEDIA_TYPE'
      return { what: type, type, body, code } as const
    }),
  ]
}

/** Bodies that are not forms, and their error codes. */
export function invalidFormBodies(validCall: Uint8Array<ArrayBuffer>): InvalidBody[] {
  const type = `multipart/form-data; boundary=${boundary}`
  const forms: [what: string, type: string, body: InvalidBody['body'], code: ErrorCode][] = [
    ['a form that is cut', type, validCall.subarray(0, -4), 'MALFORMED_BODY'],
    ['a form that is cut early', type, validCall.subarray(0, boundary.length + 20), 'MALFORMED_BODY'],
    ['another boundary', 'multipart/form-data; boundary=other', validCall, 'MALFORMED_BODY'],
    ['no boundary', 'multipart/form-data', validCall, 'MALFORMED_BODY'],
    ['no form', type, 'name=value', 'MALFORMED_BODY'],
    ['half a line', type, '--', 'MALFORMED_BODY'],
  ]
  const types = ['application/json', 'text/plain', 'multipart/mixed; boundary=x', 'application/zip', 'form']
  return [
    ...forms.map(([what, type, body, code]) => ({ what, type, body, code })),
    ...types.map(type => ({ what: type, type, body: validCall, code: 'UNSUPPORTED_MEDIA_TYPE' as const })),
  ]
}
