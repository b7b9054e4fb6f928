import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** A proxy to a server, such as the database, that can fail. */
export type FaultProxy = {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Breaks existing connections; new ones are accepted. */
  cut(): void
  /** From now on nothing passes, without an error: like a network that drops packets. */
  swallow(): void
  /** Breaks existing connections and refuses new ones: like a machine whose server is down. */
  refuse(): Promise<void>
  /** Lets everything pass again, including delayed data. */
  heal(): Promise<void>
  close(): Promise<void>
}

/**
 * Inspects data and returns how many bytes may pass. If that is not all, nothing passes on this connection
 * any more, in either direction, without an error.
 */
export type Watch = (bytes: Buffer, from: 'client' | 'server') => number

/** Opens a proxy to the server of `serverUrl` on a separate port. A URL without a port leads to PostgreSQL. */
export async function openFaultProxy(
  serverUrl: string,
  watch: Watch = ({ length }) => length,
): Promise<FaultProxy> {
  const target = new URL(serverUrl)
  const pairs = new Set<[Socket, Socket]>()
  let isSwallowing = false
  let server = createServer(onConnection)
  const port = await listen(server, 0)

  function onConnection(near: Socket): void {
    const far = connect(destination(target))
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    let isStopped = false
    for (const [from, to] of [pair, [far, near] as const]) {
      from.setNoDelay(true)
      from.on('error', () => {})
      from.on('data', bytes => {
        if (isStopped) return
        const passing = watch(bytes, from === near ? 'client' : 'server')
        isStopped = passing < bytes.length
        to.write(bytes.subarray(0, passing))
      })
      from.on('close', () => {
        // the other side only notices a lost end while packets pass
        if (!isSwallowing) to.destroy()
        if (to.destroyed) pairs.delete(pair)
      })
    }
    if (isSwallowing) hold(pair)
  }

  function cut(): void {
    for (const [near, far] of pairs) {
      near.resetAndDestroy()
      far.destroy()
    }
  }

  return {
    url: Object.assign(new URL(serverUrl), { host: `127.0.0.1:${port}` }).href,
    cut,
    swallow() {
      isSwallowing = true
      for (const pair of pairs) hold(pair)
    },
    async refuse() {
      const closed = new Promise(resolve => server.close(resolve))
      cut()
      await closed
    },
    async heal() {
      isSwallowing = false
      for (const [near, far] of pairs) {
        if (near.destroyed || far.destroyed) for (const end of [near, far]) end.destroy()
        for (const end of [near, far]) end.resume()
      }
      if (server.listening) return
      server = createServer(onConnection)
      await listen(server, port)
    },
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      cut()
      await closed
    },
  }
}

function hold(pair: [Socket, Socket]): void {
  for (const end of pair) end.pause()
}

/** A socket path is the encoded host of a database URL. */
function destination({ hostname, port }: URL): NetConnectOpts {
  const host = decodeURIComponent(hostname)
  if (host.startsWith('/')) return { path: join(host, `.s.PGSQL.${port || 5432}`) }
  return { host, port: Number(port || 5432) }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
