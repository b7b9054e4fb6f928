import type { FastifyInstance } from 'fastify'
import { runIn, type Span, type Traces } from '../traces.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request, if its trace is exported. */
    span?: Span
  }
}

/** Probes and scrapes, which are no work of people or applications. */
const untracedRoutes = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Traces requests. A span has the template of the route, the method, the status and the request id: no path, query, other
 * header or body (API-56).
 */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions } = request
    const route = routeOptions.url
    if (route !== undefined && untracedRoutes.has(route)) return done()
    const { traceparent } = headers
    const attributes = {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'patio.request_id': request.id,
    }
    const span = traces.start(
      { name: route === undefined ? method : `${method} ${route}`, kind: 'server', attributes },
      typeof traceparent === 'string' ? traceparent : undefined,
    )
    if (!span) return done()
    request.span = span
    // also when the client goes away before the end of the reply
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw
      span.set({ 'http.response.status_code': statusCode })
      if (!writableFinished) span.end('aborted')
      else span.end(statusCode >= 500 ? String(statusCode) : undefined)
    })
    return runIn(span, done)
  })
}
