import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { limits } from '#contract/limits.ts'
import { monotonicMs } from './clock.ts'

/** How long a body that is no upload may take to arrive. */
const bodyMs = 30_000
/** How long the rest of a body is taken and thrown away once the answer is given, so that its sender sees it. */
const lingerMs = 5_000
const lookMs = 1_000

const watches = new WeakMap<IncomingMessage, (isLate: () => boolean) => void>()

/**
 * Bounds how slowly bodies arrive: half a minute for the whole of it, answered with 408; an upload may take as long as
 * the server's own request timeout while bytes come, see `waitForUpload`.
 */
export function watchBodies(server: Server): void {
  // before the app sees the request and may call waitForUpload
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request
    if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return
    const giveUp = () => {
      if (request.complete) return
      if (response.headersSent) request.socket.destroy()
      else server.emit('clientError', new BodyTimeout(), request.socket)
    }
    let timer = setTimeout(giveUp, bodyMs)
    watches.set(request, isLate => {
      clearTimeout(timer)
      timer = setInterval(() => isLate() && giveUp(), lookMs)
    })
    request.once('close', () => clearTimeout(timer))
    response.once('finish', () => {
      if (request.complete) return
      clearTimeout(timer)
      timer = setTimeout(giveUp, lingerMs)
    })
  })
}

/** From now on the body of this request is an upload: it is given up only when it stands still. */
export function waitForUpload(request: IncomingMessage): void {
  let movedAt = monotonicMs()
  let bytesRead = -1
  watches.get(request)?.(() => {
    const { socket } = request
    // while we do not take more, the silence is ours
    if (socket.bytesRead !== bytesRead || socket.isPaused()) movedAt = monotonicMs()
    bytesRead = socket.bytesRead
    return monotonicMs() - movedAt > limits.uploadSilenceSeconds * 1000
  })
}

/** As Node says it of a request that takes too long. */
class BodyTimeout extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT'
}
