import { createStore, useStore } from '../parts/store.ts'

/**
 * Whether changes of others reach this tab. `tooMany`: the person has as many streams open in other browsers as the
 * server allows. `since`: milliseconds since 1970.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'reconnecting' | 'tooMany' | 'offline' | 'ended'
  since: number
}

const connection = createStore<Connection>({ state: 'connecting', since: Date.now() })

/** How the live data of this tab arrive. */
export function useConnection(): Connection {
  return useStore(connection)
}

/** Whether this tab has to ask for the changes of others, because they do not arrive. */
export function isLive(): boolean {
  return connection.get().state === 'live'
}

export function setConnection(state: Connection['state']): void {
  if (connection.get().state !== state) connection.set({ state, since: Date.now() })
}

/** The minutes that have passed since then. */
export function minutesSince(since: number): number {
  return Math.floor((Date.now() - since) / 60_000)
}
