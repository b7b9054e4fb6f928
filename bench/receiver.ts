/** A minimal receiver of webhooks: it counts, and replies 204. */
import { createServer, type Socket } from 'node:net'
import { itemAt } from '#tests/support/elements.ts'
import { answer } from './answers.ts'
import { percentile } from './statistics.ts'

export type ReceivedWebhooks = { notices: number; p50Ms: number; p99Ms: number; mostMs: number }

const late = new Float64Array(2_000_000)
const reply = 'HTTP/1.1 204 No Content\r\n\r\n'
const hangMs = 60_000
let notices = 0
let measured = 0
let hung = 0
let early = 0
const refusal = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'
const waitsMs = [5_000, 10_000]
const hanging = new Set<Socket>()
/** By delivery id: the number of attempts, and the time of the last refusal. */
const refused = new Map<string, { times: number; at: number }>()
const lates: number[] = []
let wanted = Number.POSITIVE_INFINITY
let reached = () => {}

answer({ listen, reset, until, report: () => ({ notices, hung, early }), release, retried })

function listen(): Promise<number> {
  const server = createServer(serve)
  return new Promise(resolve =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
      resolve((server.address() as { port: number }).port),
    ),
  )
}

function reset(): void {
  notices = 0
  measured = 0
}

/** The delays of retries. */
function retried(): ReceivedWebhooks {
  const all = lates.splice(0)
  return {
    notices: all.length,
    p50Ms: percentile(all, 0.5),
    p99Ms: percentile(all, 0.99),
    mostMs: percentile(all, 1),
  }
}

/** Ends hanging requests. */
function release(): void {
  for (const socket of hanging) socket.destroy()
}

/** Resolves after this many deliveries. */
async function until(count: number): Promise<ReceivedWebhooks> {
  if (notices < count) {
    wanted = count
    await new Promise<void>(resolve => {
      reached = resolve
    })
    wanted = Number.POSITIVE_INFINITY
  }
  const taken = late.subarray(0, measured)
  return {
    notices,
    p50Ms: percentile(taken, 0.5),
    p99Ms: percentile(taken, 0.99),
    mostMs: percentile(taken, 1),
  }
}

/** Requests arrive one after another on a connection, each with its length. */
function serve(socket: Socket): void {
  socket.setNoDelay(true)
  socket.on('error', () => {})
  let text = ''
  socket.on('data', bytes => {
    text += bytes.toString('latin1')
    for (;;) {
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return
      const [, length = '0'] = /content-length: (\d+)/i.exec(text) ?? []
      const total = end + 4 + Number(length)
      if (text.length < total) return
      const request = text.slice(0, total)
      text = text.slice(total)
      take(socket, request, end + 4)
    }
  })
}

function take(socket: Socket, request: string, bodyAt: number): void {
  if (request.startsWith('POST /hang')) {
    hung++
    hanging.add(socket)
    socket.on('close', () => hanging.delete(socket))
    setTimeout(() => socket.destroy(), hangMs).unref()
    return
  }
  if (request.startsWith('POST /again') && refuse(socket, request)) return
  socket.write(reply)
  const mark = request.indexOf('"timestamp":"', bodyAt)
  if (mark !== -1) late[measured++] = Date.now() - Date.parse(request.slice(mark + 13, mark + 37))
  if (++notices >= wanted) reached()
}

/** Refuses the first attempts of a delivery, and records the delay of each retry. */
function refuse(socket: Socket, request: string): boolean {
  const at = performance.now()
  const [, id = ''] = /delivery-id: (\S+)/i.exec(request) ?? []
  const { times, at: before } = refused.get(id) ?? { times: 0, at: 0 }
  if (times > 0) {
    const late = at - before - itemAt(waitsMs, times - 1)
    lates.push(late)
    if (late < 0) early++
  }
  if (times === waitsMs.length) {
    refused.delete(id)
    return false
  }
  refused.set(id, { times: times + 1, at })
  socket.write(refusal)
  return true
}
