import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The reply carries an ETag; If-None-Match can lead to 304. */
    hasEntityTag?: boolean
  }
}

const minCompressedBytes = 1_024
/** Up to this size, compressing here costs less than handing it to another thread. */
const synchronousCompressionBytes = 32_768
/**
 * From this length on, a reply is sent as bytes: Node would join a text with the head, and reserve three times its
 * length to encode it.
 */
const minEncodedLength = 32_768
// in the order of preference; identity is listed so that its weight counts
const encodings = ['br', 'gzip', 'identity']
const quickGzip = { level: 1 }
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
// as fast as gzip, and smaller
const thoroughBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Text, or the bytes of a text. */
type Body = string | Buffer
type Done = (error: Error | null, payload?: unknown) => void

/**
 * Reduces replies to GET: 304 if the client already has the reply, and compression for JSON above 1 KB, which is a text or, of
 * many items, bytes. Streams and files are sent unchanged, and so are replies to writes: they contain secrets that are shown
 * once, beside text from the request, and the compressed length could reveal one by the other (BREACH).
 */
export function compressResponses(app: FastifyInstance): void {
  // a hook of the routes that read, because every hook costs the others time
  app.addHook('onRoute', route => {
    const methods = [route.method].flat()
    if (methods.includes('GET') || methods.includes('HEAD'))
      route.onSend = [reduceRead, ...[route.onSend ?? []].flat()]
  })
}

function reduceRead(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && (typeof payload === 'string' || (Buffer.isBuffer(payload) && isJson(reply))))
    reduceResponse(request, reply, payload, done)
  else done(null, payload)
}

function reduceResponse(request: FastifyRequest, reply: FastifyReply, payload: Body, done: Done): void {
  const isLong = payload.length > minCompressedBytes && isJson(reply)
  if (isLong) varyByEncoding(reply)
  const isTagged = request.routeOptions.config.hasEntityTag === true && reply.statusCode === 200
  if (isTagged && matchesClientCopy(request, reply, payload)) done(null, notModifiedBody(reply))
  else if (isLong && request.headers['accept-encoding']) compress(request, reply, payload, done)
  else done(null, sendable(payload))
}

function sendable(payload: Body): Body {
  return typeof payload === 'string' && payload.length >= minEncodedLength ? Buffer.from(payload) : payload
}

function isJson(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && type.startsWith('application/json')
}

function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding')
}

/** The tag is weak, because it is the same for the compressed and the plain form. */
function matchesClientCopy(request: FastifyRequest, reply: FastifyReply, payload: Body): boolean {
  const opaque = `"${hash('sha1', payload, 'base64url')}"`
  reply.header('etag', `W/${opaque}`)
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === opaque)
}

/** A 304 has no length. For HEAD, Fastify would send the length of a text, but not of a stream. */
function notModifiedBody(reply: FastifyReply): Readable | null {
  reply.code(304).removeHeader('content-type')
  return reply.request.method === 'HEAD' ? Readable.from([]) : null
}

function compress(request: FastifyRequest, reply: FastifyReply, payload: Body, done: Done): void {
  const encoding = negotiate(String(request.headers['accept-encoding']), encodings)
  if (encoding !== 'br' && encoding !== 'gzip') {
    done(null, sendable(payload))
    return
  }
  reply.header('content-encoding', encoding)
  const isShort = payload.length <= synchronousCompressionBytes
  if (isShort)
    done(null, encoding === 'br' ? brotliCompressSync(payload, quickBrotli) : gzipSync(payload, quickGzip))
  else if (encoding === 'br') brotliCompress(payload, thoroughBrotli, done)
  else gzip(payload, done)
}
