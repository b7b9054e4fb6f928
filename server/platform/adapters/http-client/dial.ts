import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { monotonicMs } from '../../clock.ts'
import { firstOf } from '../../required.ts'
import { BlockedAddress } from './addresses.ts'
import { type Names, NameUnknown } from './resolve-names.ts'

/** The time to open a connection, in whole milliseconds. */
export type DialTimes = { dns: number; connect: number; tls: number }
export type Dialed = { times: DialTimes; address: string | null; failedAt: 'dns' | 'connect' | 'tls' | null }

export type DialOptions = {
  names: Names
  timeoutMs: number
  /** Extra trusted certificates, for receivers in the same network. */
  ca?: string | undefined
}

type Callback = Parameters<ReturnType<typeof buildConnector>>[1]
type Sessions = { last: Buffer | undefined }

/**
 * A connector for undici that only dials the addresses that `names` has checked. `onDial` receives the times
 * and the result.
 */
export function openDialer(options: DialOptions, onDial: (dialed: Dialed) => void) {
  const sessions: Sessions = { last: undefined }
  return (to: { hostname: string; protocol: string; port: string }, callback: Callback): void => {
    const dialed: Dialed = { times: { dns: 0, connect: 0, tls: 0 }, address: null, failedAt: 'dns' }
    onDial(dialed)
    dial(to, options, sessions, dialed).then(
      socket => callback(null, socket),
      error => callback(error, null),
    )
  }
}

async function dial(
  { hostname, protocol, port }: { hostname: string; protocol: string; port: string },
  { ca, names, timeoutMs }: DialOptions,
  sessions: Sessions,
  dialed: Dialed,
): Promise<Socket | TLSSocket> {
  const startedAt = monotonicMs()
  const elapsedMs = () => Math.round(monotonicMs() - startedAt)
  let socket: Socket | undefined
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    timeout.reject(new Error(`No connection within ${timeoutMs} ms`))
    socket?.destroy()
  }, timeoutMs)
  try {
    const resolved = names(hostname)
    const addresses = Array.isArray(resolved)
      ? resolved
      : await Promise.race([resolved, timeout.promise]).catch(error => {
          throw error instanceof BlockedAddress ? error : new NameUnknown(error.message)
        })
    dialed.times.dns = elapsedMs()
    dialed.failedAt = 'connect'
    const secure = protocol === 'https:'
    socket = connectTo(addresses, Number(port) || (secure ? 443 : 80))
    await Promise.race([opened(socket, 'connect'), timeout.promise])
    dialed.address = socket.remoteAddress ?? null
    dialed.times.connect = elapsedMs() - dialed.times.dns
    if (secure) {
      dialed.failedAt = 'tls'
      socket = securely(socket, hostname, sessions, ca)
      await Promise.race([opened(socket, 'secureConnect'), timeout.promise])
      dialed.times.tls = elapsedMs() - dialed.times.dns - dialed.times.connect
    }
    dialed.failedAt = null
    return socket
  } catch (error) {
    socket?.destroy()
    throw error
  } finally {
    clearTimeout(timer)
    timeout.promise.catch(() => {})
  }
}

function connectTo(addresses: readonly string[], port: number): Socket {
  const plain = { port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }
  if (addresses.length === 1) return connect({ ...plain, host: firstOf(addresses) })
  const all = addresses.map(address => ({ address, family: isIP(address) }))
  return connect({
    ...plain,
    // never resolved: `lookup` returns the checked addresses
    host: 'checked',
    autoSelectFamily: true,
    lookup: (_name, { all: wantsAll }, done) =>
      wantsAll ? done(null, all) : done(null, firstOf(all).address, firstOf(all).family),
  })
}

function securely(socket: Socket, host: string, sessions: Sessions, ca: string | undefined): TLSSocket {
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const secure = connectSecurely({
    socket,
    host,
    ALPNProtocols: ['http/1.1'],
    session: sessions.last,
    ...servername,
    ...(ca !== undefined && { ca }),
  })
  secure.on('session', session => {
    sessions.last = session
  })
  return secure
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => {
      socket.off('error', reject)
      socket.off('close', closed)
      resolve()
    })
    const closed = () => reject(new Error('The connection was closed before it was open'))
    socket.once('error', reject)
    socket.once('close', closed)
  })
}
