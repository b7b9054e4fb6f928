/**
 * Subscribers of event streams and the source of events: a separate process for both sides of a comparison.
 */
import { connect } from 'node:net'
import { defined } from '#tests/support/elements.ts'
import { answer } from './answers.ts'
import { burst, type EventBurst, type PacedRun, paced, type SubscriberGroup } from './publish.ts'

export type Opened = { name: string; port: number; paths: string[] }
const crowds = new Map<string, SubscriberGroup>()
/** Occurs once in each event and nowhere else in a stream. */
const mark = Buffer.from('"type":"ai-asset.')

answer({
  open,
  burst: (given: EventBurst & { name: string }) => burst(defined(crowds.get(given.name)), given),
  paced: (given: PacedRun & { name?: string }) => paced(crowds.get(given.name ?? ''), given),
  /** One event as it arrived. */
  sample: (name: string) => crowds.get(name)?.sample,
  close(name: string) {
    const sockets = crowds.get(name)?.sockets ?? []
    crowds.delete(name)
    for (const socket of sockets) socket.destroy()
  },
})

/** Opens one more stream for each path, a few at a time. */
async function open({ name, port, paths }: Opened): Promise<void> {
  const crowd = crowds.get(name) ?? { sockets: [], received: [], total: 0, bytes: 0, sample: '' }
  crowds.set(name, crowd)
  const left = [...paths]
  async function openNext(): Promise<void> {
    for (let path = left.pop(); path; path = left.pop()) await openOne(crowd, port, path)
  }
  await Promise.all(Array.from({ length: 32 }, openNext))
}

function openOne(crowd: SubscriberGroup, port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const at = crowd.received.push(0) - 1
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    crowd.sockets.push(socket)
    let rest: Buffer = Buffer.alloc(0)
    let text = ''
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`)
    })
    socket.once('data', chunk => {
      const head = chunk.toString('latin1')
      if (head.startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(`${path.split('?')[0]}: ${head.slice(0, 500)}`))
    })
    socket.on('data', chunk => {
      if (crowd.onEvents) text = forwardEvents(text + chunk.toString('utf8'), crowd.onEvents)
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let found = 0
      let from = 0
      for (let place = bytes.indexOf(mark); place !== -1; place = bytes.indexOf(mark, from)) {
        found++
        from = place + mark.length
      }
      // a mark may be cut in two
      rest = bytes.subarray(Math.max(from, bytes.length - mark.length + 1))
      crowd.received[at] = (crowd.received[at] ?? 0) + found
      crowd.total += found
      crowd.bytes += chunk.length
      if (found > 0 && crowd.sample === '') crowd.sample = chunk.toString('utf8')
      if (found === 0) return
      crowd.receivedAt = performance.now()
      crowd.notice?.()
    })
    socket.on('close', () => {
      if ([...crowds.values()].includes(crowd)) process.stderr.write('a stream was closed by the server\n')
    })
  })
}

/** Passes on complete events and returns the rest. */
function forwardEvents(text: string, onEvents: (text: string) => void): string {
  const end = text.lastIndexOf('\n\n')
  if (end !== -1) onEvents(text.slice(0, end))
  return text.slice(end + 1)
}
