import { createStore, useStore } from '../parts/store.ts'

/** Whether changes of others reach this tab. `since`: milliseconds since 1970. */
export type Connection = {
  state: 'connecting' | 'live' | 'reconnecting' | 'offline' | 'ended'
  since: number
}

const connection = createStore<Connection>({ state: 'connecting', since: Date.now() })

/** How the live data of this tab arrive. */
export function useConnection(): Connection {
  return useStore(connection)
}

export function setConnection(state: Connection['state']): void {
  if (connection.get().state !== state) connection.set({ state, since: Date.now() })
}

/** The minutes that have passed since then. */
export function minutesSince(since: number): number {
  return Math.floor((Date.now() - since) / 60_000)
}
