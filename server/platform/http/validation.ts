import Ajv, { type DefinedError, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { emailPattern } from '#contract/shapes.ts'
import { isCurrency } from '../currency.ts'
import type { ErrorDetail } from '../fail.ts'

/** An answer names no more faults than this; the last entry says how many there are beyond. */
const maxFaults = 50
/** Of a larger value only the first fault is named: to collect them all could take as many objects as it has parts. */
const maxParts = 10_000
const maxWords = 40
const longestPath = 200

/** Validates a value, filling in defaults, and returns what is wrong with it in words: nothing when it is valid. */
export type Validator = (value: unknown) => readonly ErrorDetail[]

const none: readonly ErrorDetail[] = []

function openAjv(options: { allErrors: boolean; coerceTypes: false | 'array' }) {
  const ajv = addFormats.default(
    new Ajv.default({ ...options, strict: false, useDefaults: true, removeAdditional: false, verbose: true }),
  )
  ajv.addFormat('currency', isCurrency)
  return ajv.addKeyword({
    keyword: 'x-trim',
    type: 'string',
    schemaType: 'boolean',
    // before its length is measured
    before: 'maxLength',
    modifying: true,
    errors: false,
    validate: trim,
  })
}

type Place = { parentData: Record<string | number, unknown>; parentDataProperty: string | number }
function trim(_isTrimmed: boolean, text: string, _schema?: unknown, place?: Place): boolean {
  if (place?.parentData) place.parentData[place.parentDataProperty] = text.trim()
  return true
}

// a body says what it means; an address can only carry text, and a list of one there looks like one text
const validators = {
  body: {
    first: openAjv({ allErrors: false, coerceTypes: false }),
    all: openAjv({ allErrors: true, coerceTypes: false }),
  },
  address: {
    first: openAjv({ allErrors: false, coerceTypes: 'array' }),
    all: openAjv({ allErrors: true, coerceTypes: 'array' }),
  },
}

/**
 * The validator of a schema for what stands in a body or in an address. What is valid is looked at once, and only until
 * its first fault; what is not is looked at again for all of them. Both are compiled when they are first needed.
 */
export function validatorOf(schema: object, place: keyof typeof validators): Validator {
  let first: ValidateFunction | undefined
  let all: ValidateFunction | undefined
  return value => {
    first ??= validators[place].first.compile(schema)
    if (first(value)) return none
    const [fault] = first.errors!
    if (partsOf(value, maxParts) < 0) return distinct([worded(fault!)])
    all ??= validators[place].all.compile(schema)
    all(value)
    return distinct((all.errors ?? [fault!]).filter(isOfNoBranch).map(worded))
  }
}

/** How many more parts than those of the value there may be; less than nothing when it has too many. */
function partsOf(value: unknown, most: number): number {
  if (most < 0 || typeof value !== 'object' || value === null) return most - 1
  let left = most - 1
  for (const part of Object.values(value)) {
    left = partsOf(part, left)
    if (left < 0) break
  }
  return left
}

/** What is wrong by each of several forms says little: that none of them fits is one fault. */
function isOfNoBranch({ schemaPath }: ErrorObject): boolean {
  return !/\/(?:anyOf|oneOf)\/\d+\//.test(schemaPath)
}

/** Faults without those that follow from another one. */
function distinct(faults: ErrorDetail[]): ErrorDetail[] {
  return [...Map.groupBy(faults, ({ path }) => path).values()].flatMap(ofPath => {
    // a value of the wrong type, and an empty text, fit nothing else either
    const cause = ofPath.find(({ code }) => code === 'type' || code === 'minLength')
    return cause ? [cause] : [...new Map(ofPath.map(fault => [fault.message, fault])).values()]
  })
}

/** The first of the faults, and how many there are beyond. */
export function bounded(faults: readonly ErrorDetail[]): ErrorDetail[] {
  const beyond = faults.length - maxFaults
  if (beyond <= 0) return [...faults]
  return [...faults.slice(0, maxFaults), { path: '', code: 'more', message: `and ${beyond} more` }]
}

function worded(error: ErrorObject): ErrorDetail {
  const { params, instancePath, keyword } = error
  const field = params.missingProperty ?? params.additionalProperty
  const steps = instancePath
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const path = (field === undefined ? steps : [...steps, field]).join('.').slice(0, longestPath)
  const code = keyword === 'additionalProperties' ? 'unknown' : keyword
  return { path, code, message: messageOf(error as DefinedError) }
}

/** What is wrong, in words that follow the name of the field. */
function messageOf(error: DefinedError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${[error.params.type]
        .flat()
        .map(type => typeWords[type] ?? type)
        .join(' or ')}`
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a field of this operation'
    case 'enum':
      return `must be one of ${listed(error.params.allowedValues)}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'minLength':
      return `must be at least ${counted(error.params.limit, 'character')}`
    case 'maxLength':
      return `must be at most ${counted(error.params.limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(error.params.limit, 'item')}`
    case 'maxItems':
      return `must have at most ${counted(error.params.limit, 'item')}`
    case 'minProperties':
      return `must have at least ${counted(error.params.limit, 'field')}`
    case 'maxProperties':
      return `must have at most ${counted(error.params.limit, 'field')}`
    case 'uniqueItems':
      return 'must not have the same item twice'
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${error.params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${error.params.limit}`
    case 'multipleOf':
      return `must be a multiple of ${error.params.multipleOf}`
    case 'format':
    case 'pattern':
      return formOf(error.parentSchema as Form)
    default:
      return 'has the wrong form'
  }
}

/** The types of JSON, as people call them. */
export const typeWords: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

type Form = { format?: string; pattern?: string; description?: string }
/** What a text must look like: a pattern says little to people, so its schema describes it. */
function formOf({ format, pattern, description }: Form): string {
  if (format === 'date-time') return 'must be a date and time such as 2027-06-01T00:00:00Z'
  if (format === 'date') return 'must be a date such as 2027-06-01'
  if (format === 'currency') return 'must be a currency code of ISO 4217 in lowercase, such as eur'
  if (pattern === emailPattern) return 'must be an e-mail address such as name@example.com'
  if (pattern === '\\S') return 'must not be blank'
  return description === undefined ? 'has the wrong form' : `does not fit: ${description}`
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function listed(words: readonly unknown[]): string {
  const beyond = words.length - maxWords
  return words.slice(0, maxWords).join(', ') + (beyond > 0 ? ` and ${beyond} more` : '')
}
