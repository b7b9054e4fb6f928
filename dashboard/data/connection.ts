import { useSyncExternalStore } from 'react'

/** Whether changes of others reach this tab. `since`: milliseconds since 1970. */
export type Connection = {
  state: 'connecting' | 'live' | 'reconnecting' | 'offline' | 'ended'
  since: number
}

let connection: Connection = { state: 'connecting', since: Date.now() }
const listeners = new Set<() => void>()

/** How the live data of this tab arrive. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => connection)
}

export function setConnection(state: Connection['state']): void {
  if (connection.state === state) return
  connection = { state, since: Date.now() }
  for (const listener of listeners) listener()
}

/** The minutes that have passed since then. */
export function minutesSince(since: number): number {
  return Math.floor((Date.now() - since) / 60_000)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
