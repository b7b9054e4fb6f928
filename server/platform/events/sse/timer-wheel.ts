import { monotonicMs } from '../../clock.ts'

/** Calls back for each entry once per period, spread evenly, with one timer. */
export type TimerWheel<Member> = {
  /** Adds an entry; the returned function removes it. */
  add(subscriber: Member): () => void
  stop(): void
}

const slots = 20

/**
 * Opens a wheel that visits its twenty slots one after the other. A new entry goes to the emptiest slot, of
 * equal ones to the slot that was visited last, so that its first turn is one period later.
 */
export function openTimerWheel<Member>(
  periodMs: number,
  onTurn: (subscribers: Member[]) => void,
): TimerWheel<Member> {
  const wheel = Array.from({ length: slots }, () => new Set<Member>())
  let at = 0
  let due = monotonicMs()
  let timer: NodeJS.Timeout | undefined

  function schedule(): void {
    // counted from the start, so that delays do not add up; after a long pause it does not catch up
    due = Math.max(due + periodMs / slots, monotonicMs())
    timer = setTimeout(turn, Math.max(0, due - monotonicMs()))
    timer.unref()
  }
  function turn(): void {
    at = (at + 1) % slots
    const subscribers = [...wheel[at]!]
    schedule()
    if (subscribers.length > 0) onTurn(subscribers)
  }
  schedule()

  return {
    add(subscriber) {
      let emptiest = wheel[at]!
      for (let back = 1; back < slots; back++) {
        const entry = wheel[(at - back + slots) % slots]!
        if (entry.size < emptiest.size) emptiest = entry
      }
      emptiest.add(subscriber)
      return () => emptiest.delete(subscriber)
    },
    stop: () => clearTimeout(timer),
  }
}
