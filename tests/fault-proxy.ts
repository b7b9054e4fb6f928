import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A way to the database that can be made bad. */
export type FaultProxy = {
  /** The same database through this proxy. */
  readonly url: string
  /** Nothing passes any more, and nobody is told: a half-open connection. */
  freeze(): void
  /** Breaks what is open. New connections pass. */
  cut(): void
  /** Refuses new connections as well, until `cut`. */
  refuse(): void
  close(): Promise<void>
}

/** Opens a proxy in front of the database at `databaseUrl`, which may be a unix socket. */
export async function openFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  const target = new URL(databaseUrl)
  const host = decodeURIComponent(target.hostname)
  const port = Number(target.port || 5432)
  const pairs = new Set<[Socket, Socket]>()
  let isRefusing = false

  const server = createServer(near => {
    if (isRefusing) return void near.destroy()
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair) socket.on('error', () => {}).on('close', () => breakPair(pair))
    near.pipe(far)
    far.pipe(near)
  })
  function breakPair(pair: [Socket, Socket]): void {
    pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  const { port: ownPort } = server.address() as AddressInfo

  return {
    url: url.href.replace(`@${target.host}`, `@127.0.0.1:${ownPort}`),
    freeze() {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    cut() {
      isRefusing = false
      for (const pair of [...pairs]) breakPair(pair)
    },
    refuse() {
      isRefusing = true
      for (const pair of [...pairs]) breakPair(pair)
    },
    async close() {
      for (const pair of [...pairs]) breakPair(pair)
      await new Promise(resolve => server.close(resolve))
    },
  }
}
