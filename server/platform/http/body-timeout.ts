import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { limits } from '#contract/limits.ts'
import { monotonicMs } from '../clock.ts'

/** How long a body that is not an upload may take. */
const bodyTimeoutMs = 30_000
/** How long the rest of a body is read and discarded after the reply, so that the client sees the reply. */
const lingerMs = 5_000
const checkIntervalMs = 1_000

type Body = { request: IncomingMessage; response: ServerResponse }
/**
 * A body that did not arrive with its headers, and since when the server waits for it or, after the reply,
 * for its rest.
 */
type SlowBody = Body & { sinceMs: number; isAnswered: boolean }

const uploads = new WeakMap<IncomingMessage, () => boolean>()

/**
 * Limits how slowly bodies arrive: half a minute for the whole body, then 408. An upload may take as long as
 * the server's request timeout while bytes arrive, see `allowSlowUpload`. Almost every body arrives with its
 * headers, so only the others are watched: a timer per request would keep the request in memory until the
 * next full collection.
 */
export function enforceBodyTimeout(server: Server): void {
  let arriving: Body[] = []
  const slow = new Set<SlowBody>()
  let timer: NodeJS.Timeout | undefined

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request
    if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return
    if (arriving.push({ request, response }) === 1) void setImmediate().then(watchSlow)
  })

  function watchSlow(): void {
    const sinceMs = monotonicMs()
    for (const body of arriving) if (isArriving(body)) slow.add({ ...body, sinceMs, isAnswered: false })
    arriving = []
    if (slow.size > 0) timer ??= setInterval(checkSlowBodies, checkIntervalMs).unref()
  }

  function checkSlowBodies(): void {
    for (const body of slow) {
      if (!isArriving(body)) slow.delete(body)
      else if (isLate(body)) abort(body)
    }
    if (slow.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function abort({ request, response }: Body): void {
    if (response.headersSent) request.socket.destroy()
    else server.emit('clientError', new BodyTimeout(), request.socket)
  }
}

function isArriving({ request }: Pick<Body, 'request'>): boolean {
  return !request.complete && !request.destroyed
}

function isLate(body: SlowBody): boolean {
  const atMs = monotonicMs()
  if (body.response.writableFinished && !body.isAnswered)
    Object.assign(body, { sinceMs: atMs, isAnswered: true })
  if (body.isAnswered) return atMs - body.sinceMs > lingerMs
  return uploads.get(body.request)?.() ?? atMs - body.sinceMs > bodyTimeoutMs
}

/** Treats the body of this request as an upload: it is aborted only if no bytes arrive. */
export function allowSlowUpload(request: IncomingMessage): void {
  let lastProgressMs = monotonicMs()
  let bytesRead = -1
  uploads.set(request, () => {
    const { socket } = request
    // while the server does not read, the silence is its own
    if (socket.bytesRead !== bytesRead || socket.isPaused()) lastProgressMs = monotonicMs()
    bytesRead = socket.bytesRead
    return monotonicMs() - lastProgressMs > limits.uploadSilenceSeconds * 1000
  })
}

/**
 * Ends the connection after an error if its body has not arrived yet, and keeps it open otherwise. The reply announces the end, so
 * that a proxy sends no other request behind a body that it gave up: that request would be read as the rest of the body. If the
 * connection were closed with unread bytes, the client would see a broken connection instead of the reply, so it ends for writing
 * alone, and the rest is read and discarded for `lingerMs`.
 */
export async function endWithUnreadBody(reply: FastifyReply): Promise<void> {
  const { raw: request } = reply.request
  // a body that came with its head is read after the head was refused
  if (isArriving({ request })) await setImmediate()
  if (!isArriving({ request })) {
    reply.removeHeader('connection')
    return
  }
  reply.header('connection', 'close')
  const { socket } = request
  // a request of app.inject has no connection
  if (!(socket instanceof Socket)) return
  const close = socket.destroySoon.bind(socket)
  // Node calls it after the last reply of a connection
  socket.destroySoon = () => {
    socket.end().setTimeout(lingerMs)
    request.once('end', close)
  }
}

/** The error that Node raises for a request that takes too long. */
class BodyTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT'
}
