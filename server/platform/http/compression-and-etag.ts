import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer carries an ETag; If-None-Match is answered with 304. */
    hasEntityTag?: boolean
  }
}

const minCompressedBytes = 1_024
/** Up to this size compressing costs less than handing it to another thread. */
const synchronousCompressionBytes = 32_768
// in the order in which they are preferred; identity stands here so that its weight counts
const encodings = ['br', 'gzip', 'identity']
const quickGzip = { level: 1 }
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
// takes as long as gzip and comes out smaller
const thoroughBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

type Done = (error: Error | null, payload?: unknown) => void

/**
 * Makes answers to GET cheaper to transfer: 304 where the caller has the answer already, and JSON above 1 KB compressed
 * where the caller asks for it. Streams and files pass as they are, and so do answers to writes: secrets are shown once
 * in these, beside text that the caller has just sent, and the length of a compressed answer can betray one by the other
 * (BREACH).
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done: Done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && typeof payload === 'string') reduceResponse(request, reply, payload, done)
    else done(null, payload)
  })
}

function reduceResponse(request: FastifyRequest, reply: FastifyReply, payload: string, done: Done): void {
  const isLong = payload.length > minCompressedBytes && isJson(reply)
  if (isLong) varyByEncoding(reply)
  const isTagged = request.routeOptions.config.hasEntityTag === true && reply.statusCode === 200
  if (isTagged && matchesClientCopy(request, reply, payload)) done(null, notModifiedBody(reply))
  else if (isLong && request.headers['accept-encoding']) compress(request, reply, payload, done)
  else done(null, payload)
}

function isJson(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && type.startsWith('application/json')
}

function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding')
}

/** The tag is weak: it is the same for the compressed and the plain form. */
function matchesClientCopy(request: FastifyRequest, reply: FastifyReply, payload: string): boolean {
  const opaque = `"${hash('sha1', payload, 'base64url')}"`
  reply.header('etag', `W/${opaque}`)
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === opaque)
}

/** A 304 has no length. For HEAD Fastify would write down that of a text, but not that of a stream. */
function notModifiedBody(reply: FastifyReply): Readable | null {
  reply.code(304).removeHeader('content-type')
  return reply.request.method === 'HEAD' ? Readable.from([]) : null
}

function compress(request: FastifyRequest, reply: FastifyReply, payload: string, done: Done): void {
  const encoding = negotiate(String(request.headers['accept-encoding']), encodings)
  if (encoding !== 'br' && encoding !== 'gzip') {
    done(null, payload)
    return
  }
  reply.header('content-encoding', encoding)
  const isShort = payload.length <= synchronousCompressionBytes
  if (isShort)
    done(null, encoding === 'br' ? brotliCompressSync(payload, quickBrotli) : gzipSync(payload, quickGzip))
  else if (encoding === 'br') brotliCompress(payload, thoroughBrotli, done)
  else gzip(payload, done)
}
