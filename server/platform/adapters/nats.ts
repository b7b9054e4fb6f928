import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as Nats from '@nats-io/transport-node'
import { maxPayloadBytes, type SignalCarrier } from '../events/signal-carrier.ts'
import { keepConnected, whileAnswering } from '../keep-connected.ts'
import type { Log } from '../log.ts'

/** The servers of one NATS cluster, and the credentials for all of them. */
export type NatsServers = {
  /** `host:port` */
  servers: string[]
  isTls: boolean
  user: string | undefined
  password: string | undefined
}

type NatsOptions = {
  to: NatsServers
  /** The name of this process among the connections of the server. */
  name: string
  /** Reads the id that keeps installations on one server apart. */
  readInstallationId(): Promise<string>
  log: Pick<Log, 'info' | 'warn'>
  pingMs?: number
}

/** A connection. Its `end` is aborted when it ends, or when the server refuses something, such as a subject of another user. */
type OpenConnection = { to: Nats.NatsConnection; end: AbortController; refusal?: Error }

type NatsState = Required<NatsOptions> & {
  library: typeof Nats
  channels: Map<string, ((payload: string) => void)[]>
  reconnected: (() => void)[]
  stop: AbortController
  /** Begins every subject. */
  prefix?: string
  connection?: OpenConnection | undefined
  /** The server has registered all channels. */
  isUp: boolean
}

const connectMs = 3_000
const closeMs = 1_000

/**
 * Opens NATS as the carrier of signals (decision 0057). Connects in the background, and again whenever the connection is lost; nobody
 * waits for it. At most one notification of a channel is on its way, because each waits for the answer of the server: a
 * server that stands still costs no memory. The library is loaded here, because most installations have no NATS.
 */
export async function openNats({ pingMs = 2_000, ...options }: NatsOptions): Promise<SignalCarrier> {
  const state: NatsState = {
    ...options,
    pingMs,
    library: await import('@nats-io/transport-node'),
    channels: new Map(),
    reconnected: [],
    stop: new AbortController(),
    isUp: false,
  }
  const { log, to, channels, stop } = state
  const running = keepConnected(() => useConnection(state), {
    stop: stop.signal,
    onFailure: error => log.warn({ err: error, servers: to.servers }, 'NATS cannot carry signals'),
  })
  return {
    async listen(channel, onNotification) {
      const callbacks = channels.get(channel) ?? []
      channels.set(channel, [...callbacks, onNotification])
      if (callbacks.length > 0 || !state.connection) return
      subscribe(state, state.connection, channel)
      await answers(state, state.connection)
    },
    async notify(channel, payload) {
      const { connection, isUp } = state
      if (!connection || !isUp || connection.to.isClosed()) return false
      try {
        connection.to.publish(subjectOf(state, channel), payload)
      } catch (error) {
        refuse(connection, error as Error)
        return false
      }
      return answers(state, connection)
    },
    onReconnect: act => void state.reconnected.push(act),
    isConnected: () => state.isUp,
    async close() {
      stop.abort()
      // an attempt to connect cannot be ended
      await Promise.race([running, sleep(closeMs, undefined, { ref: false })])
    },
  }
}

/** Connects, listens to all channels, and returns when the connection was lost. Throws what the server refuses. */
async function useConnection(state: NatsState): Promise<void> {
  const { channels, log, pingMs, readInstallationId, reconnected, stop } = state
  const { servers } = state.to
  state.prefix ??= `patio.${await readInstallationId()}`
  const connection = await open(state)
  try {
    state.connection = connection
    for (const channel of channels.keys()) subscribe(state, connection, channel)
    if (!(await answers(state, connection))) throw new Error('The server does not answer')
    if (connection.refusal) throw connection.refusal
    if (stop.signal.aborted) return
    state.isUp = true
    log.info({ servers, subjects: subjectOf(state, '*') }, 'NATS carries signals')
    for (const act of reconnected) act()
    await whileAnswering(() => answers(state, connection), {
      everyMs: pingMs,
      ended: AbortSignal.any([connection.end.signal, stop.signal]),
    })
    if (connection.refusal) throw connection.refusal
    if (!stop.signal.aborted) log.warn({ servers }, 'the connection to NATS was lost')
  } finally {
    state.isUp = false
    state.connection = undefined
    await connection.to.close()
  }
}

async function open({ library, name, pingMs, to }: NatsState): Promise<OpenConnection> {
  const connection = await library.connect({
    servers: await firstToGreet(to.servers, pingMs),
    name,
    ...(to.user !== undefined && { user: to.user, pass: to.password ?? '' }),
    ...(to.isTls && { tls: {} }),
    timeout: connectMs,
    // the library would keep what is published meanwhile, and give up after some time
    reconnect: false,
    noAsyncTraces: true,
  })
  const opened: OpenConnection = { to: connection, end: new AbortController() }
  void watch(opened)
  if ((connection.info?.max_payload ?? maxPayloadBytes) < maxPayloadBytes)
    refuse(opened, new Error(`The server must accept messages of ${maxPayloadBytes} bytes (max_payload)`))
  return opened
}

/** The server that greets first. Throws the error of the first one if none does. */
function firstToGreet(servers: readonly string[], withinMs: number): Promise<string> {
  return Promise.any(servers.map(server => greets(server, withinMs))).catch(({ errors }: AggregateError) => {
    throw errors[0]
  })
}

/** Waits for the greeting of a server. The library would leave a socket open for each attempt with one that accepts and is silent. */
function greets(server: string, withinMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(`nats://${server}`)
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
  socket.setTimeout(withinMs, () => reject(new Error(`${server} does not answer`)))
  socket.once('data', () => resolve(server))
  socket.once('error', reject)
  socket.once('close', () => reject(new Error(`${server} closed the connection`)))
  return promise.finally(() => socket.destroy())
}

async function watch(connection: OpenConnection): Promise<void> {
  for await (const status of connection.to.status())
    if (status.type === 'error') refuse(connection, status.error)
  connection.end.abort()
}

function refuse(connection: OpenConnection, error: Error): void {
  connection.refusal ??= error
  connection.end.abort()
}

function subjectOf({ prefix }: NatsState, channel: string): string {
  return `${prefix}.${channel}`
}

function subscribe(state: NatsState, connection: OpenConnection, channel: string): void {
  connection.to.subscribe(subjectOf(state, channel), {
    callback(error, message) {
      if (error) return refuse(connection, error)
      // a longer one is not ours
      if (message.data.length > maxPayloadBytes) return
      const payload = message.string()
      for (const onNotification of state.channels.get(channel) ?? []) onNotification(payload)
    },
  })
}

/** Whether the server answers in time: it then has everything that was sent before. */
function answers({ pingMs }: NatsState, connection: OpenConnection): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), pingMs)
  connection.to.flush().then(
    () => resolve(true),
    () => resolve(false),
  )
  return promise.finally(() => clearTimeout(timer))
}
