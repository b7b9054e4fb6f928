import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '#platform/data/errors.ts'
import { errorBody, Refusal } from '#platform/fail.ts'
import { bearerChallenge } from '#platform/http/admission.ts'
import { endWithUnreadBody } from '#platform/http/body-timeout.ts'
import { typeWords } from '#platform/http/validation.ts'
import type { Refused } from './attempt-limits.ts'
import { type Body, oidcProviderId, type SignInService } from './sign-in.ts'

// the only 429 of better-auth itself: too many wrong codes for one account
const secondFactorLockSeconds = 900

/** Replies with an error of better-auth in Patio's form; its code becomes `errorCode`. */
export function refuseAs(
  signIn: SignInService,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: unknown,
): FastifyReply {
  const {
    code = '',
    message = '',
    details,
  } = (body ?? {}) as { code?: string; message?: string; details?: unknown }
  if (status >= 500) {
    request.log.error({ code, message }, 'sign-in failed')
    return send(reply, 500, errorBody('INTERNAL'))
  }
  // the provider is configured, so its discovery document is unavailable
  const provider = (request.body as Body | undefined)?.fields.provider
  if (code === 'PROVIDER_NOT_FOUND' && signIn.oidc && provider === oidcProviderId) {
    return send(reply, 503, errorBody('UNAVAILABLE', { retryAfterSeconds: 10 }))
  }
  if (status === 401 && (code === '' || code === 'UNAUTHORIZED')) {
    return send(reply, 401, errorBody('UNAUTHENTICATED'))
  }
  if (status === 404 && code === '') return send(reply, 404, errorBody('NOT_FOUND'))
  if (code === 'VALIDATION_ERROR') {
    return send(reply, 400, { ...errorBody('VALIDATION_ERROR'), details: details ?? readIssues(message) })
  }
  return send(reply, status, {
    statusCode: status,
    error: STATUS_CODES[status] ?? 'Error',
    message: message || (STATUS_CODES[status] ?? 'Error'),
    ...(code && { errorCode: code }),
    ...(status === 429 && { retryAfterSeconds: secondFactorLockSeconds }),
    ...(details !== undefined && { details }),
  })
}

// better-auth joins them into `[body.email] Invalid input; [body.password] …`
function readIssues(message: string) {
  return [...message.matchAll(/\[(?:body|query)\.?([^\]]*)\] ([^;]*)/g)].map(([, path = '', text = '']) => ({
    path,
    code: 'INVALID',
    message: inWords(path, text),
  }))
}

function inWords(path: string, text: string): string {
  if (text.includes('received undefined')) return 'is required'
  if (path === 'email') return 'must be an e-mail address such as name@example.com'
  const [, type = ''] = /expected (\w+)/.exec(text) ?? []
  return type in typeWords ? `must be ${typeWords[type]}` : 'is not valid'
}

/** Replies 429 with the exceeded limit. */
export function refuseTry(
  reply: FastifyReply,
  { times, windowSeconds, retryAfterSeconds }: Refused,
): FastifyReply {
  reply.header('ratelimit-policy', `"sign-in";q=${times};w=${windowSeconds}`)
  reply.header('ratelimit', `"sign-in";r=0;t=${retryAfterSeconds}`)
  return send(reply, 429, errorBody('RATE_LIMIT_EXCEEDED', { retryAfterSeconds }))
}

/** The error handler of the sign-in scope: refusals, invalid requests, an unavailable database, bugs. */
export async function refuseThrown(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await endWithUnreadBody(reply)
  if (error instanceof Refusal) return send(reply, error.status, errorBody(error.code, error.extra))
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return send(reply, 415, errorBody('UNSUPPORTED_MEDIA_TYPE'))
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return send(reply, 413, errorBody('BODY_TOO_LARGE'))
  if (code.startsWith('FST_') && statusCode < 500) return send(reply, 400, errorBody('MALFORMED_BODY'))
  request.log.error({ err: error }, 'sign-in failed')
  if (isUnavailable(error)) return send(reply, 503, errorBody('UNAVAILABLE', { retryAfterSeconds: 2 }))
  return send(reply, 500, errorBody('INTERNAL'))
}

/** Sends JSON that must not be cached. */
export function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  const { retryAfterSeconds } = (body ?? {}) as { retryAfterSeconds?: number }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (status === 401) reply.header('www-authenticate', bearerChallenge)
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}
