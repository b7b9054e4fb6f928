import { channel } from 'node:diagnostics_channel'
import { type ErrorCode, errors } from '#contract/errors.ts'

// costs nothing while nobody listens; the tests do, to know that each code is given somewhere
const refused = channel('patio:refusal')

/** A refusal that the contract knows. Anything else that is thrown is a bug and answers 500. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly extra: RefusalExtra
  /** Which of several checks was failed, for the audit log; whoever asked is not told. */
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

/** Wire fields besides the standard ones, such as `moduleKey`; `retryAfterSeconds` also becomes Retry-After. */
export type RefusalExtra = Record<string, unknown> & { retryAfterSeconds?: number; details?: ErrorDetail[] }
export type ErrorDetail = { path: string; code: string; message: string }

/** Refuses the request. `row ?? fail('ASSET_NOT_FOUND')` reads well, because it never returns. */
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

/** The one form of an error body: `{ statusCode, error, message, errorCode?, …extra }`. */
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
