import { channel } from 'node:diagnostics_channel'
import { type ErrorCode, errors } from '#contract/errors.ts'

// costs nothing without listeners; the tests listen, to check that each code is used
const refused = channel('patio:refusal')

/** An error of the contract. Anything else that is thrown is a bug and causes a 500. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly extra: RefusalExtra
  /** The failed check, for the audit log; the caller does not see it. */
  readonly check: string | undefined
  constructor(code: ErrorCode, extra: RefusalExtra = {}, check?: string) {
    super(errors[code].text)
    this.code = code
    this.check = check
    refused.publish(code)
    this.status = errors[code].status
    this.extra = extra
  }
}

/** Additional wire fields, such as `moduleKey`; `retryAfterSeconds` also becomes Retry-After. */
export type RefusalExtra = Record<string, unknown> & { retryAfterSeconds?: number; details?: ErrorDetail[] }
export type ErrorDetail = { path: string; code: string; message: string }

/** Refuses the request. It never returns, so that `row ?? fail('NOT_FOUND')` works. */
export function fail(code: ErrorCode, extra?: RefusalExtra, check?: string): never {
  throw new Refusal(code, extra, check)
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** The body of every error: `{ statusCode, error, message, errorCode?, …extra }`. */
export function errorBody(code: ErrorCode, extra: RefusalExtra = {}): Record<string, unknown> {
  const known: { status: number; text: string; bare?: true; wireCode?: string } = errors[code]
  refused.publish(code)
  return {
    statusCode: known.status,
    error: reasons[known.status] ?? 'Error',
    message: known.text,
    ...(!known.bare && { errorCode: known.wireCode ?? code }),
    ...extra,
  }
}
