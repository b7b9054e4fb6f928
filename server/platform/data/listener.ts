import pg from 'pg'
import type { SignalCarrier } from '../events/signal-carrier.ts'
import { keepConnected, whileAnswering } from '../keep-connected.ts'
import type { Log } from '../log.ts'
import { crossTenantSql, type Statement, type StatementValues, valuesOf } from './statement.ts'

/** The connection of a process for LISTEN and NOTIFY. It is never inside a transaction, and does not wait for the disk. */
export type Listener = SignalCarrier & {
  /** The name among the server's connections: while it exists, this process is alive. */
  readonly name: string
  /** Resolves with the first connection. */
  readonly connected: Promise<void>
}

type Options = { url: string; name: string; log: Pick<Log, 'warn'>; pingMs?: number }
type ListenerState = Required<Options> & {
  channels: Map<string, ((payload: string) => void)[]>
  reconnected: (() => void)[]
  stop: AbortController
  resolveConnected: () => void
  client?: pg.Client
  /** The client is connected and listens to all channels. */
  isUp: boolean
  wasConnected: boolean
}

const sendNotice = crossTenantSql<never, { channel: string; payload: string }>(
  'a notification names no row',
  'select pg_notify($channel, $payload)',
)
const ping = crossTenantSql<never>('only checks that the server answers', 'select 1')

/**
 * Connects in the background, and again whenever the connection is lost. An unanswered ping reveals a
 * half-open connection within two `pingMs`, 2 s each.
 */
export function openListener({ url, name, log, pingMs = 2_000 }: Options): Listener {
  const { promise: connected, resolve: resolveConnected } = Promise.withResolvers<void>()
  const state: ListenerState = {
    url,
    name,
    log,
    pingMs,
    resolveConnected,
    isUp: false,
    wasConnected: false,
    channels: new Map(),
    reconnected: [],
    stop: new AbortController(),
  }
  const running = keepConnected(() => useConnection(state), {
    stop: state.stop.signal,
    onFailure: error => log.warn({ err: error }, 'the signal connection could not be opened'),
  })
  return {
    name,
    connected,
    async listen(channel, onNotification) {
      const callbacks = state.channels.get(channel) ?? []
      state.channels.set(channel, [...callbacks, onNotification])
      const { client } = state
      if (callbacks.length === 0) await client?.query(`listen ${channel}`).catch(() => cut(client))
    },
    async notify(channel, payload) {
      return (
        state.client !== undefined &&
        state.isUp &&
        (await succeeds(state.client, sendNotice, { channel, payload }))
      )
    },
    onReconnect: act => void state.reconnected.push(act),
    isConnected: () => state.isUp,
    async close() {
      state.stop.abort()
      await running
    },
  }
}

/** Connects, and returns when the connection was lost. */
async function useConnection(state: ListenerState): Promise<void> {
  const { log, reconnected, stop } = state
  try {
    const client = await connect(state)
    if (state.wasConnected) for (const act of reconnected) act()
    else state.resolveConnected()
    state.wasConnected = true
    await untilLost(client, state)
    if (!stop.signal.aborted) log.warn('the signal connection was lost')
  } finally {
    state.isUp = false
    if (state.client) cut(state.client)
    state.client = undefined
  }
}

async function connect(state: ListenerState): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: state.url,
    application_name: state.name,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    query_timeout: state.pingMs,
    options: '-c synchronous_commit=off',
    // several signals may be sent before the first one is answered
    pipeline: true,
  } as pg.ClientConfig)
  client.on('error', () => {})
  client.on('notification', ({ channel, payload = '' }) => {
    for (const onNotification of state.channels.get(channel) ?? []) onNotification(payload)
  })
  state.client = client
  await client.connect()
  // a channel that is added meanwhile is requested twice, which does no harm
  for (const channel of state.channels.keys()) await client.query(`listen ${channel}`)
  state.isUp = true
  return client
}

/** Pings until there is no reply, the connection ends, or the listener stops. */
async function untilLost(client: pg.Client, { pingMs, stop }: ListenerState): Promise<void> {
  const lost = new AbortController()
  client.once('end', () => lost.abort())
  await whileAnswering(() => succeeds(client, ping), {
    everyMs: pingMs,
    ended: AbortSignal.any([lost.signal, stop.signal]),
  })
}

async function succeeds<Args extends object>(
  client: pg.Client,
  statement: Statement<never, Args>,
  ...[args]: StatementValues<Args>
): Promise<boolean> {
  const { name, text } = statement
  return client.query({ name, text, values: valuesOf(statement, args) }).then(
    () => true,
    () => false,
  )
}

/** Closes a connection without the protocol's goodbye, which would hang on a half-open one. */
function cut(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
