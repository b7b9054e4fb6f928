import { setTimeout as sleep } from 'node:timers/promises'
import { type NatsServers, openNats } from '../adapters/nats.ts'
import { coalesced } from '../coalesced.ts'
import { readInstallationId } from '../data/installation-id.ts'
import { type Listener, openListener } from '../data/listener.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { maxPayloadBytes, type SignalCarrier } from './signal-carrier.ts'

/** The last event of each organization; undefined if there were too many to list. */
export type Heads = ReadonlyMap<string, number> | undefined

/**
 * Wake-up signals between processes: "there are new outbox rows" to the relay and "there are new events" from
 * it. A signal may be lost, so listeners also poll, and assume after a reconnect that they missed some.
 */
export type Signal = {
  /** The name of this process among the database's connections. */
  readonly name: string
  /** Signals that this process committed outbox rows. Returns at once; many calls become one notification. */
  changed(): void
  /** Resolves when the carrier has registered the listener, or is down. */
  onChanged(act: () => void): Promise<void>
  /** Announces the last events of some organizations. Many calls become one notification. */
  announce(heads: ReadonlyMap<string, number>): void
  onAnnounced(act: (heads: Heads) => void): Promise<void>
  /** Announces that deliveries are due for some applications. Many calls become one notification. */
  due(applicationIds: Iterable<string>): void
  /** Undefined: there were too many to list. */
  onDue(act: (applicationIds: string[] | undefined) => void): Promise<void>
  onReconnect(act: () => void): void
  isConnected(): boolean
  close(): Promise<void>
}

const changeChannel = 'patio_change'
const eventChannel = 'patio_event'
const dueChannel = 'patio_due'
const pauseMs = 5
const duePauseMs = 20

type SignalOptions = {
  /** The database. */
  url: string
  log: Log
  /** Undefined: NOTIFY carries the signals. */
  nats?: NatsServers | undefined
  pingMs?: number
}

/**
 * Opens the signals of this process, and waits for the database for up to two seconds. Without NATS, they travel on a
 * connection of their own to the database. With it that connection remains, because its end frees the leases of this process.
 */
export async function openSignal({ nats, ...options }: SignalOptions): Promise<Signal> {
  const listener = openListener({ ...options, name: `patio signal ${newId()}` })
  const carrier = nats ? await openNatsCarrier(nats, listener, options) : listener
  const changes = coalesced(async () => {
    await carrier.notify(changeChannel, '')
  }, pauseMs)
  let heads = new Map<string, number>()
  const announcements = coalesced(async () => {
    const payload = formatHeads(heads)
    heads = new Map()
    await carrier.notify(eventChannel, payload)
  }, 0)
  let due = new Set<string>()
  const dueNotifications = coalesced(async () => {
    const payload = [...due].join()
    due = new Set()
    await carrier.notify(dueChannel, payload.length <= maxPayloadBytes ? payload : '')
  }, duePauseMs)
  await Promise.race([listener.connected, sleep(2_000)])

  return {
    name: listener.name,
    changed: changes,
    onChanged: act => carrier.listen(changeChannel, act),
    announce(newHeads) {
      for (const [organizationId, seq] of newHeads) heads.set(organizationId, seq)
      announcements()
    },
    onAnnounced: act => carrier.listen(eventChannel, payload => act(parseHeads(payload))),
    due(applicationIds) {
      for (const applicationId of applicationIds) due.add(applicationId)
      dueNotifications()
    },
    onDue: act => carrier.listen(dueChannel, payload => act(payload === '' ? undefined : payload.split(','))),
    onReconnect: carrier.onReconnect,
    isConnected: carrier.isConnected,
    close: carrier.close,
  }
}

/** NATS as the carrier. After the database was away, readers look again as well: their last look may have failed. */
async function openNatsCarrier(
  to: NatsServers,
  listener: Listener,
  { url, log, pingMs }: SignalOptions,
): Promise<SignalCarrier> {
  const carrier = await openNats({
    to,
    name: listener.name,
    readInstallationId: () => readInstallationId(url),
    log,
    ...(pingMs !== undefined && { pingMs }),
  })
  return {
    ...carrier,
    onReconnect(act) {
      carrier.onReconnect(act)
      listener.onReconnect(act)
    },
    async close() {
      await Promise.all([carrier.close(), listener.close()])
    },
  }
}

function formatHeads(heads: ReadonlyMap<string, number>): string {
  const payload = [...heads].map(([organizationId, seq]) => `${organizationId}:${seq}`).join(',')
  return payload.length <= maxPayloadBytes ? payload : ''
}

function parseHeads(payload: string): Heads {
  if (payload === '') return undefined
  return new Map(
    payload.split(',').map(part => {
      const colon = part.lastIndexOf(':')
      return [part.slice(0, colon), Number(part.slice(colon + 1))]
    }),
  )
}
