import type { StoredEvent } from '../relay.sql.ts'

export type Coalescer = {
  /**
   * Returns the events to send now. Of the others, only the last of each key follows later, through `onDue`.
   */
  admit(events: readonly StoredEvent[], keyOf: (event: StoredEvent) => string | undefined): StoredEvent[]
  stop(): void
}

type Window = { timer: NodeJS.Timeout; held?: StoredEvent }

/**
 * Lets one event of each key pass in `windowMs`; the last of the others is sent when the window ends. It drops what a later event
 * replaces, which batches never do.
 */
export function openCoalescer(windowMs: number, onDue: (event: StoredEvent) => void): Coalescer {
  const windows = new Map<string, Window>()

  function open(key: string): void {
    const timer = setTimeout(() => {
      const held = windows.get(key)?.held
      windows.delete(key)
      if (!held) return
      open(key)
      onDue(held)
    }, windowMs)
    windows.set(key, { timer })
  }

  return {
    admit(events, keyOf) {
      const keys = events.map(keyOf)
      const last = new Map(keys.map((key, index) => [key, index]))
      return events.filter((event, index) => {
        const key = keys[index]
        if (key === undefined) return true
        if (last.get(key) !== index) return false
        const window = windows.get(key)
        if (window) window.held = event
        else open(key)
        return !window
      })
    },
    stop() {
      for (const { timer } of windows.values()) clearTimeout(timer)
      windows.clear()
    },
  }
}

/** The events without those that a later event with the same key replaces. */
export function lastOfEach(
  events: readonly StoredEvent[],
  keyOf: (event: StoredEvent) => string | undefined,
): StoredEvent[] {
  const last = new Map(events.map((event, index) => [keyOf(event) ?? index, event]))
  return events.filter((event, index) => last.get(keyOf(event) ?? index) === event)
}
