import { channel } from 'node:diagnostics_channel'
import Ajv, { type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { type AuthKind, type Operation, pathAt } from '#contract/operation.ts'
import { isCurrency } from '../currency.ts'
import { lazy } from '../lazy.ts'
import type { Log } from '../log.ts'
import type { ContractCheck } from './mount.ts'

// codes that authentication, the body parser and the database can cause in any operation
const commonErrorCodes = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'RATE_LIMIT_EXCEEDED',
  'ORGANIZATION_SUSPENDED',
  'MODULE_NOT_ENABLED',
  'CAPABILITY_NOT_ENABLED',
  'FEATURE_NOT_ENABLED',
  'INSUFFICIENT_SCOPE',
  'PERMISSION_DENIED',
  'VALIDATION_ERROR',
  'MALFORMED_BODY',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_REUSED',
  'UNAVAILABLE',
])

// the tests listen, to check that each operation returns each code that it declares
const refusalGivenChannel = channel('patio:declared-refusal')

/** The name of an error of an operation: its first route, and the code. */
export function errorAt(contract: Operation, code: ErrorCode): string {
  const [auth] = Object.keys(contract.auth) as [AuthKind]
  return `${contract.method} ${pathAt(auth, contract)} ${code}`
}

/** In production, an undeclared error is logged as a warning; replies are not checked. */
export function warnOnContractBreach(log: Log): ContractCheck {
  return {
    reply() {},
    error(contract, code) {
      if (!isDeclared(contract, code))
        log.warn({ code, path: contract.path }, 'an error code that the contract does not declare')
    },
  }
}

/**
 * Validates replies against their schemas. Compiled once per process, however many servers the tests open.
 */
const validatorOf = lazy<TSchema, ValidateFunction>(() => {
  const ajv = new Ajv.default({
    strict: false,
    allErrors: true,
    formats: {
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      currency: isCurrency,
    },
  })
  const validators = new WeakMap<TSchema, ValidateFunction>()
  return schema => {
    const validate = validators.get(schema) ?? ajv.compile(withoutAdditionalProperties(schema) as object)
    validators.set(schema, validate)
    return validate
  }
})

/** In tests, a reply that does not match its schema, or an undeclared error, is an error. */
export function failOnContractBreach(): ContractCheck {
  return {
    reply(contract, schema, value) {
      if (!schema) return
      const validate = validatorOf(schema)
      if (!validate(JSON.parse(JSON.stringify(value)))) {
        const faults = (validate.errors ?? []).map(
          ({ instancePath, message }) => `${instancePath} ${message}`,
        )
        throw new Error(`${contract.method} ${contract.path} breaks its reply schema: ${faults.join(', ')}`)
      }
    },
    error(contract, code) {
      refusalGivenChannel.publish(errorAt(contract, code))
      if (!isDeclared(contract, code))
        throw new Error(`${contract.method} ${contract.path} does not declare ${code}`)
    },
  }
}

function isDeclared(contract: Operation, code: ErrorCode): boolean {
  return code in errors && (commonErrorCodes.has(code) || contract.errors.includes(code))
}

/** The same schema, where objects allow no further fields unless they say otherwise. */
function withoutAdditionalProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutAdditionalProperties(value)]),
  )
  if ('properties' in copy && !('additionalProperties' in copy)) copy.additionalProperties = false
  return copy
}
