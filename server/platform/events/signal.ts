import { setTimeout as sleep } from 'node:timers/promises'
import { openListener } from '../data/listener.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'

/** The highest event of each organization; undefined when there were too many to name. */
export type Heads = ReadonlyMap<string, number> | undefined

/**
 * Hints between processes: "something was said" to the relay and "there are new events" from it. A hint may be
 * lost; who listens also polls, and after a reconnect assumes to have missed some.
 */
export type Signal = {
  /** The name of this process among the database's connections. */
  readonly name: string
  /** Says that this process committed something for the relay. Returns at once; many calls make one hint. */
  changed(): void
  /** Resolves when the database knows that this process listens. */
  onChanged(act: () => void): Promise<void>
  /** Says how far the events of some organizations go now. Many calls make one hint. */
  announce(heads: ReadonlyMap<string, number>): void
  onAnnounced(act: (heads: Heads) => void): Promise<void>
  /** Says that something is due to be sent for some applications. Many calls make one hint. */
  due(applicationIds: Iterable<string>): void
  /** Undefined when there were too many to name. */
  onDue(act: (applicationIds: string[] | undefined) => void): Promise<void>
  onReconnect(act: () => void): void
  isConnected(): boolean
  close(): Promise<void>
}

const changeChannel = 'patio_change'
const eventChannel = 'patio_event'
const dueChannel = 'patio_due'
// a notification takes fewer than 8000 bytes
const payloadBytes = 7_900
const pauseMs = 5
const duePauseMs = 20

/** Opens the signal connection of this process and waits for it, up to two seconds. */
export async function openSignal(options: { url: string; log: Log; pingMs?: number }): Promise<Signal> {
  const listener = openListener({ ...options, name: `patio signal ${newId()}` })
  const changes = coalesced(async () => {
    await listener.notify(changeChannel, '')
  })
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

/** Runs `send` for the first call at once, and once more for all calls that come while it runs or rests. */
function coalesced(send: () => Promise<void>, pauseAfterMs = pauseMs): () => void {
  let isBusy = false
  let isWanted = false
  async function run(): Promise<void> {
    do {
      isWanted = false
      await send()
      if (pauseAfterMs > 0) await sleep(pauseAfterMs)
    } while (isWanted)
    isBusy = false
  }
  return () => {
    isWanted = true
    if (isBusy) return
    isBusy = true
    void run()
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
