import { setTimeout as sleep } from 'node:timers/promises'
import { coalesced } from '../coalesced.ts'
import { openListener } from '../data/listener.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'

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
  /** Resolves when the database has registered the listener. */
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
// a notification has fewer than 8000 bytes
const payloadBytes = 7_900
const pauseMs = 5
const duePauseMs = 20

/** Opens the signal connection of this process and waits for it for up to two seconds. */
export async function openSignal(options: { url: string; log: Log; pingMs?: number }): Promise<Signal> {
  const listener = openListener({ ...options, name: `patio signal ${newId()}` })
  const changes = coalesced(async () => {
    await listener.notify(changeChannel, '')
  }, pauseMs)
  let heads = new Map<string, number>()
  const announcements = coalesced(async () => {
    const payload = formatHeads(heads)
    heads = new Map()
    await listener.notify(eventChannel, payload)
  }, 0)
  let due = new Set<string>()
  const dueNotifications = coalesced(async () => {
    const payload = [...due].join()
    due = new Set()
    await listener.notify(dueChannel, payload.length <= payloadBytes ? payload : '')
  }, duePauseMs)
  await Promise.race([listener.connected, sleep(2_000)])

  return {
    name: listener.name,
    changed: changes,
    onChanged: act => listener.listen(changeChannel, act),
    announce(newHeads) {
      for (const [organizationId, seq] of newHeads) heads.set(organizationId, seq)
      announcements()
    },
    onAnnounced: act => listener.listen(eventChannel, payload => act(parseHeads(payload))),
    due(applicationIds) {
      for (const applicationId of applicationIds) due.add(applicationId)
      dueNotifications()
    },
    onDue: act =>
      listener.listen(dueChannel, payload => act(payload === '' ? undefined : payload.split(','))),
    onReconnect: listener.onReconnect,
    isConnected: listener.isConnected,
    close: listener.close,
  }
}

function formatHeads(heads: ReadonlyMap<string, number>): string {
  const payload = [...heads].map(([organizationId, seq]) => `${organizationId}:${seq}`).join(',')
  return payload.length <= payloadBytes ? payload : ''
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
