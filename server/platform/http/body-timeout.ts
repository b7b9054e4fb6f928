import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { limits } from '#contract/limits.ts'
import { monotonicMs } from '../clock.ts'

/** How long a body that is no upload may take to arrive. */
const bodyTimeoutMs = 30_000
/** How long the rest of a body is taken and thrown away once the answer is given, so that its sender sees it. */
const lingerMs = 5_000
const checkIntervalMs = 1_000

type Body = { request: IncomingMessage; response: ServerResponse }
/** A body that did not come with its head, and since when we wait: for it, or, once answered, for the rest of it. */
type SlowBody = Body & { sinceMs: number; isAnswered: boolean }

const uploads = new WeakMap<IncomingMessage, () => boolean>()

/**
 * Bounds how slowly bodies arrive: half a minute for the whole of it, answered with 408; an upload may take as long as
 * the server's own request timeout while bytes come, see `waitForUpload`. Almost every body comes with its head, so
 * only the others are watched: a timer for each would be kept, and its request with it, until the next full collection.
 */
export function enforceBodyTimeout(server: Server): void {
  let arriving: Body[] = []
  const slow = new Set<SlowBody>()
  let timer: NodeJS.Timeout | undefined

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request
    if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return
    if (arriving.push({ request, response }) === 1) setImmediate(watchSlow)
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

function isArriving({ request }: Body): boolean {
  return !request.complete && !request.destroyed
}

function isLate(body: SlowBody): boolean {
  const atMs = monotonicMs()
  if (body.response.writableFinished && !body.isAnswered)
    Object.assign(body, { sinceMs: atMs, isAnswered: true })
  if (body.isAnswered) return atMs - body.sinceMs > lingerMs
  return uploads.get(body.request)?.() ?? atMs - body.sinceMs > bodyTimeoutMs
}

/** From now on the body of this request is an upload: it is given up only when it stands still. */
export function allowSlowUpload(request: IncomingMessage): void {
  let lastProgressMs = monotonicMs()
  let bytesRead = -1
  uploads.set(request, () => {
    const { socket } = request
    // while we do not take more, the silence is ours
    if (socket.bytesRead !== bytesRead || socket.isPaused()) lastProgressMs = monotonicMs()
    bytesRead = socket.bytesRead
    return monotonicMs() - lastProgressMs > limits.uploadSilenceSeconds * 1000
  })
}

/**
 * Takes back that the connection is closed with an answer to a body that could not be taken. Closed at once, with bytes
 * unread, its sender would see a broken connection instead of the answer; the rest is thrown away for `lingerMs`.
 */
export function keepConnection(reply: FastifyReply): void {
  reply.removeHeader('connection')
}

/** As Node says it of a request that takes too long. */
class BodyTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT'
}
