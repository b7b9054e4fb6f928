import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import { fail } from '../../fail.ts'
import { type Frame, frameOf, lastChunk } from './frames.ts'

/** One open stream, as the socket to write to. */
export type Receiver = {
  isOpen(): boolean
  /** Writes at once. Drops a client that leaves more than 1 MiB unread. */
  send(frame: Frame): void
  /** Resolves when the connection accepts more, or is closed. */
  drained(): Promise<void>
  /** Sends a last text and closes. */
  end(text: string): void
  onClose(act: () => void): void
}

/** How long a client may take to read a page of a replay. */
const drainTimeoutMs = 60_000
const closeTimeoutMs = 1_000

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // a proxy that buffers responses would break a stream
  'X-Accel-Buffering': 'no',
  Connection: 'close',
}

/**
 * Takes the connection over from Fastify and sends the headers and the first text. After that, frames go
 * straight to the socket: they are already chunks, so nothing is copied or encoded per receiver.
 */
export function beginReceiver(request: FastifyRequest, reply: FastifyReply, firstText: string): Receiver {
  const { socket } = request.raw
  // a pipelined request has no socket of its own yet
  if (reply.raw.socket !== socket) fail('UNAVAILABLE', { retryAfterSeconds: 1 })
  const bytesOf =
    request.raw.httpVersionMinor > 0 ? (frame: Frame) => frame.chunk : (frame: Frame) => frame.bytes
  const lastBytes = request.raw.httpVersionMinor > 0 ? lastChunk : ''

  function send(frame: Frame): void {
    if (!socket.writable) return
    socket.write(bytesOf(frame))
    if (socket.writableLength > limits.streamBufferBytes) drop(socket)
  }

  socket.cork()
  sendHead(socket, reply)
  send(frameOf(firstText))
  socket.uncork()
  return {
    isOpen: () => socket.writable,
    send,
    drained: () => untilDrained(socket),
    end(text) {
      if (!socket.writable) return
      send(frameOf(text))
      socket.end(lastBytes)
      setTimeout(() => socket.destroy(), closeTimeoutMs).unref()
    },
    onClose(act) {
      if (socket.destroyed) act()
      else socket.once('close', act)
    },
  }
}

function sendHead(socket: Socket, reply: FastifyReply): void {
  const existing = Object.entries(reply.getHeaders()) as [string, string][]
  reply.hijack()
  socket.setTimeout(0)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 15_000)
  for (const [name, value] of [...existing, ...Object.entries(headers)]) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200)
  reply.raw.flushHeaders()
}

function untilDrained(socket: Socket): Promise<void> {
  if (!socket.writableNeedDrain || !socket.writable) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(() => drop(socket), drainTimeoutMs)
    function done(): void {
      clearTimeout(timer)
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

/** A reset also frees the system's buffers for a client that does not read. */
function drop(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy()
}
