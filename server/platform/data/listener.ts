import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type Statement, crossTenantSql } from './statement.ts'

/** The one connection of a process that listens and notifies. It is never inside a transaction. */
export type Listener = {
  /** Its name among the server's connections: as long as one of that name is there, this process lives. */
  readonly name: string
  /** Hears a channel over reconnects; resolves when the server knows. */
  listen(channel: string, hear: (payload: string) => void): Promise<void>
  /** Sends at once and does not wait for the disk. False when the connection is down: the hint is lost. */
  notify(channel: string, payload: string): Promise<boolean>
  /** Called after each new connection but the first: notifications were missed in between. */
  onReconnect(act: () => void): void
  /** Resolves with the first connection. */
  readonly connected: Promise<void>
  isConnected(): boolean
  close(): Promise<void>
}

type Options = { url: string; name: string; log: Pick<Log, 'warn'>; pingMs?: number }
type Inside = Required<Options> & {
  channels: Map<string, ((payload: string) => void)[]>
  reconnected: (() => void)[]
  stop: AbortController
  isThere: () => void
  client?: pg.Client
  /** The client is connected and listens to all channels. */
  isUp: boolean
}

const sendNotice = crossTenantSql<never, [channel: string, payload: string]>(
  'a notification names no row',
  'select pg_notify($1, $2)',
)
const ping = crossTenantSql<never>('asks only whether the server answers', 'select 1')

/**
 * Connects in the background and again whenever the connection is lost. A connection that is half open is
 * noticed by a ping that is not answered: within two `pingMs`, 2 s each.
 */
export function openListener({ url, name, log, pingMs = 2_000 }: Options): Listener {
  const { promise: connected, resolve: isThere } = Promise.withResolvers<void>()
  const inside: Inside = {
    url, name, log, pingMs, isThere, isUp: false,
    channels: new Map(), reconnected: [], stop: new AbortController(),
  }
  const running = keepConnected(inside)
  return {
    name,
    connected,
    async listen(channel, hear) {
      const hearers = inside.channels.get(channel) ?? []
      inside.channels.set(channel, [...hearers, hear])
      const { client } = inside
      if (hearers.length === 0) await client?.query(`listen ${channel}`).catch(() => cut(client))
    },
    async notify(channel, payload) {
      return (
        inside.client !== undefined &&
        inside.isUp &&
        (await succeeds(inside.client, sendNotice, channel, payload))
      )
    },
    onReconnect: act => void inside.reconnected.push(act),
    isConnected: () => inside.isUp,
    async close() {
      inside.stop.abort()
      await running
    },
  }
}

async function keepConnected(inside: Inside): Promise<void> {
  const { log, reconnected, stop } = inside
  let isFirst = true
  for (let waitMs = 50; !stop.signal.aborted; waitMs = Math.min(waitMs * 2, 2_000)) {
    try {
      const client = await connect(inside)
      waitMs = 50
      if (isFirst) inside.isThere()
      else for (const act of reconnected) act()
      isFirst = false
      await untilLost(client, inside)
      if (!stop.signal.aborted) log.warn('the signal connection was lost')
    } catch (error) {
      log.warn({ err: error }, 'the signal connection could not be opened')
    }
    inside.isUp = false
    if (inside.client) cut(inside.client)
    inside.client = undefined
    // all processes lose a restarted server together and should not come back together
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: stop.signal }).catch(() => {})
  }
}

async function connect(inside: Inside): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: inside.url,
    application_name: inside.name,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    query_timeout: inside.pingMs,
    options: '-c synchronous_commit=off',
  })
  client.on('error', () => {})
  client.on('notification', ({ channel, payload = '' }) => {
    for (const hear of inside.channels.get(channel) ?? []) hear(payload)
  })
  inside.client = client
  await client.connect()
  // a channel that is added meanwhile is asked for twice, which does no harm
  for (const channel of inside.channels.keys()) await client.query(`listen ${channel}`)
  inside.isUp = true
  return client
}

/** Pings until there is no answer, the connection ends, or it is time to stop. */
async function untilLost(client: pg.Client, { pingMs, stop }: Inside): Promise<void> {
  const ended = new Promise<void>(resolve => client.once('end', resolve))
  do {
    await Promise.race([ended, sleep(pingMs, undefined, { signal: stop.signal }).catch(() => {})])
  } while (!stop.signal.aborted && (await succeeds(client, ping)))
}

async function succeeds<Args extends readonly unknown[]>(
  client: pg.Client,
  { name, text }: Statement<never, Args>,
  ...values: Args
): Promise<boolean> {
  return client.query({ name, text, values: [...values] }).then(
    () => true,
    () => false,
  )
}

/** Ends a connection without a goodbye, which a half-open one would wait for. */
function cut(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
