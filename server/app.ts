import { randomUUID } from 'node:crypto'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorCode } from '#contract/errors.ts'
import { limits } from '#contract/limits.ts'
import { StoreUnavailable } from './platform/adapters/files.ts'
import { isUnavailable } from './platform/data/errors.ts'
import { errorBody, Refusal, type RefusalExtra } from './platform/fail.ts'
import { bearerChallenge } from './platform/http/admission.ts'
import { collectMethods } from './platform/http/allowed-methods.ts'
import { endWithUnreadBody, enforceBodyTimeout } from './platform/http/body-timeout.ts'
import { compressResponses } from './platform/http/compression-and-etag.ts'
import { errorPage, languageOf, unknownAddressPage, wantsHtml } from './platform/http/html-page.ts'
import { parseJsonBodies } from './platform/http/input.ts'
import { type ContractCheck, type MountOptions, mount } from './platform/http/mount.ts'
import type { ServedOperation } from './platform/http/operation.ts'
import { answerPreflights } from './platform/http/origins.ts'
import { RateLimitExceeded, setRateLimitHeaders } from './platform/http/rate-limit-headers.ts'
import { traceRequests } from './platform/http/request-trace.ts'
import { serializerOf } from './platform/http/serializer.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import { runIn, type Traces } from './platform/traces.ts'

/** The parts of the HTTP server. */
export type AppOptions = {
  log: Log
  admission: MountOptions
  served: readonly ServedOperation[]
  contractCheck: ContractCheck
  metrics: Metrics
  /** Undefined: requests are not traced. */
  traces?: Traces | undefined
  trustProxy: string | false
  /** Whether this process can serve: requests get a database connection, and it is not draining. */
  isReady(): Promise<boolean>
  /** Whether this process is about to end. Each reply then announces the end of its connection. */
  isDraining?(): boolean
  /** Routes that are not operations of the contract: sign-in, the reference page. */
  plugins?: ((app: FastifyInstance) => Promise<void>)[]
}

const maxParamLength = 512

/** Builds the HTTP server of one API process. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { log, metrics } = options
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // log lines carry the request id explicitly, so a child logger per request is not needed
    childLoggerFactory: logger => logger,
    trustProxy: options.trustProxy || false,
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: true,
    requestIdHeader: false,
    genReqId: request => requestId(request.headers['x-request-id']),
    // against slow clients: uploads may take this long, other bodies much less, see enforceBodyTimeout
    requestTimeout: limits.uploadSeconds * 1000,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    // a request on a connection that is still open is accepted until the last one has its reply
    return503OnClosing: false,
    // checked every second, while Node's default is every 30 seconds
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength },
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders).header('x-request-id', request.id)
      void answerError(error, request, reply as FastifyReply, log)
    },
  }) as unknown as FastifyInstance

  enforceBodyTimeout(app.server)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    // so that a proxy closes its connections in order, and sends no request on one that is just being closed
    if (options.isDraining?.()) reply.header('connection', 'close')
    done()
  })
  if (options.traces) traceRequests(app, options.traces)
  app.addHook('onResponse', (request, reply, done) => {
    const seconds = reply.elapsedTime / 1000
    const operation = request.routeOptions.config.operation ?? request.routeOptions.url ?? 'unknown'
    metrics.request(operation, reply.statusCode, seconds)
    if (reply.statusCode >= 500 || log.isLevelEnabled('debug')) {
      // without the query, which may hold a stream token, and without segments longer than an id, which may
      // be tokens of public pages
      const [pathname = ''] = request.url.split('?', 1)
      const path = pathname.replace(/[^/]{26,}/g, '…')
      const line = {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      }
      runIn(request.span, () => log[reply.statusCode >= 500 ? 'error' : 'debug'](line, 'request'))
    }
    done()
  })
  parseJsonBodies(app)
  // its type knows only texts, but Fastify sends bytes as well
  app.setSerializerCompiler(({ schema }) => serializerOf(schema as TSchema) as (value: unknown) => string)
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, log))
  const methodsAt = collectMethods(app, maxParamLength)
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsAt(request.url)
    if (methods.length === 0 && wantsHtml(request.headers) && !request.url.startsWith('/api/'))
      return unknownAddressPage(languageOf(request.headers)).send(reply)
    if (methods.length === 0 || methods.includes(request.method)) return refuse(reply, 'NOT_FOUND')
    return refuse(reply.header('allow', methods.join(', ')), 'METHOD_NOT_ALLOWED')
  })
  compressResponses(app)
  health(app, options)
  answerPreflights(app)
  for (const served of options.served) mount(app, options.admission, served, options.contractCheck)
  for (const plugin of options.plugins ?? []) await app.register(plugin)
  return app
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: string
    /** The value of WWW-Authenticate in a 401. */
    challenge?: string | string[]
    /** Errors are pages for clients that accept pages. */
    isPage?: boolean
  }
}

// API replies are data: no page may frame, sniff, cache or run them. In lower case, as they are sent
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The client's request id if it is valid, else a new one. */
function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : randomUUID()
}

function health(app: FastifyInstance, options: AppOptions): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const ready = await options.isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' })
  })
  app.get('/metrics', { logLevel: 'silent' }, async (_request, reply) => {
    reply.type(options.metrics.contentType)
    return options.metrics.text()
  })
}

async function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): Promise<FastifyReply> {
  await endWithUnreadBody(reply)
  if (error instanceof RateLimitExceeded) setRateLimitHeaders(reply, error.quota)
  if (error instanceof Refusal) return refuse(reply, error.code, error.extra)
  const known = codesOfFastifyErrors[(error as FastifyError).code]
  if (known === 'BODY_TOO_LARGE') return refuseLargeBody(reply, request.routeOptions.bodyLimit)
  if (known) return refuse(reply, known)
  if (isUnavailable(error)) {
    log.warn({ requestId: request.id, err: error }, 'the database did not answer')
    return refuse(reply, 'UNAVAILABLE', { retryAfterSeconds: 2 })
  }
  if (error instanceof StoreUnavailable) {
    log.warn({ requestId: request.id, err: error }, 'the file store did not answer')
    return refuse(reply, 'UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  const { statusCode } = error as FastifyError
  if (statusCode && statusCode >= 400 && statusCode < 500) return refuse(reply, 'MALFORMED_BODY')
  log.error({ requestId: request.id, err: error }, 'a bug')
  return refuse(reply, 'INTERNAL')
}

function refuseLargeBody(reply: FastifyReply, limit: number | undefined): FastifyReply {
  if (limit === undefined) return refuse(reply, 'BODY_TOO_LARGE')
  const message = `The body is too large: this operation takes at most ${limit} bytes.`
  return refuse(reply, 'BODY_TOO_LARGE', { message, limit })
}

const codesOfFastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_ASYNC_CONSTRAINT: 'NOT_FOUND',
}

function refuse(reply: FastifyReply, code: ErrorCode, extra: RefusalExtra = {}): FastifyReply {
  const body = errorBody(code, extra)
  if (extra.retryAfterSeconds !== undefined) reply.header('Retry-After', String(extra.retryAfterSeconds))
  const status = body.statusCode as number
  if (status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', reply.request.routeOptions?.config?.challenge ?? bearerChallenge)
  const { routeOptions, headers } = reply.request
  if (routeOptions?.config?.isPage && wantsHtml(headers))
    return errorPage(languageOf(headers), status).send(reply)
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
