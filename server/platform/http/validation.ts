import Ajv, { type DefinedError, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { emailPattern } from '#contract/shapes.ts'
import { isCurrency } from '../currency.ts'
import type { ErrorDetail } from '../fail.ts'

/** A reply lists no more problems than this; the last entry counts the rest. */
const maxFaults = 50
/**
 * Of a larger value only the first problem is reported: collecting all could take as many objects as the
 * value has parts.
 */
const maxParts = 10_000
const maxWords = 40
const longestPath = 200

/** Validates a value, fills in defaults, and returns the problems in words: none if it is valid. */
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
    // trimmed before its length is measured
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

// a body has types; a URL only carries text, and a list of one looks like a text there
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
 * The validator of a schema for a body or a URL. It first validates up to the first problem, and only an
 * invalid value again for all problems. Both validators are compiled on first use.
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

/** How many parts the value may still have; negative if it has too many. */
function partsOf(value: unknown, most: number): number {
  if (most < 0 || typeof value !== 'object' || value === null) return most - 1
  let left = most - 1
  for (const part of Object.values(value)) {
    left = partsOf(part, left)
    if (left < 0) break
  }
  return left
}

/** The problems of each alternative say little: that none matches is one problem. */
function isOfNoBranch({ schemaPath }: ErrorObject): boolean {
  return !/\/(?:anyOf|oneOf)\/\d+\//.test(schemaPath)
}

/** The problems without those that follow from others. */
function distinct(faults: ErrorDetail[]): ErrorDetail[] {
  return [...Map.groupBy(faults, ({ path }) => path).values()].flatMap(ofPath => {
    // a value of the wrong type, or an empty text, matches nothing else either
    const cause = ofPath.find(({ code }) => code === 'type' || code === 'minLength')
    return cause ? [cause] : [...new Map(ofPath.map(fault => [fault.message, fault])).values()]
  })
}

/** The first problems, and how many follow. */
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

/** The problem in words that follow the name of the field. */
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
      return 'must not repeat an item'
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
      return 'has the wrong format'
  }
}

/** The types of JSON in plain words. */
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
/** The form of a text: its schema describes it, because a pattern says little to people. */
function formOf({ format, pattern, description }: Form): string {
  if (format === 'date-time') return 'must be a date and time such as 2027-06-01T00:00:00Z'
  if (format === 'date') return 'must be a date such as 2027-06-01'
  if (format === 'currency') return 'must be a currency code of ISO 4217 in lowercase, such as eur'
  if (pattern === emailPattern) return 'must be an e-mail address such as name@example.com'
  if (pattern === '\\S') return 'must not be blank'
  return description === undefined ? 'has the wrong format' : `does not fit: ${description}`
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function listed(words: readonly unknown[]): string {
  const beyond = words.length - maxWords
  return words.slice(0, maxWords).join(', ') + (beyond > 0 ? ` and ${beyond} more` : '')
}
