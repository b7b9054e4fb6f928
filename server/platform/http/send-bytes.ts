import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { freeBuffer } from '../free-buffer.ts'

/**
 * Sends bytes that nobody else holds, no faster than the client reads. The memory of each piece is freed as
 * soon as it is sent. If the client disconnects or the bytes break off, the connection is closed:
 * Content-Length tells the client that something is missing.
 */
export async function sendBytes(reply: FastifyReply, bytes: Readable): Promise<FastifyReply> {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value)
  if (raw.req.method === 'HEAD') {
    bytes.destroy()
    raw.end()
    return reply
  }
  // ending before the announced length is an error, as is an extra byte
  raw.strictContentLength = true
  const left = () => bytes.destroy()
  raw.once('close', left)
  try {
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      if (raw.destroyed) break
      if (!raw.write(piece, () => freeBuffer(piece))) await drainedOrClosed(raw)
    }
    raw.end()
  } catch {
    raw.destroy()
  } finally {
    raw.off('close', left)
  }
  return reply
}

function drainedOrClosed(raw: ServerResponse): Promise<void> {
  if (raw.destroyed) return Promise.resolve()
  return new Promise(resolve => {
    const done = () => {
      raw.off('drain', done).off('close', done)
      resolve()
    }
    raw.on('drain', done).on('close', done)
  })
}
