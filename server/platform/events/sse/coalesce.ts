import type { KeptEvent } from '../relay.sql.ts'

export type Coalescer = {
  /**
   * Returns the events to send now. Of the others, only the last of each key follows later, through `onDue`.
   */
  admit(events: readonly KeptEvent[], keyOf: (event: KeptEvent) => string | undefined): KeptEvent[]
  stop(): void
}

type Window = { timer: NodeJS.Timeout; held?: KeptEvent }

/** Lets one event of each key pass in `windowMs`; the last of the others is sent when the window ends. */
export function openCoalescer(windowMs: number, onDue: (event: KeptEvent) => void): Coalescer {
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
  events: readonly KeptEvent[],
  keyOf: (event: KeptEvent) => string | undefined,
): KeptEvent[] {
  const last = new Map(events.map((event, index) => [keyOf(event) ?? index, event]))
  return events.filter((event, index) => last.get(keyOf(event) ?? index) === event)
}
