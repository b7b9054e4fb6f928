import { monotonicMs } from '../../clock.ts'

/** Turns members once in each period, spread evenly, with one timer. */
export type TimerWheel<Member> = {
  /** Adds a member; the answer takes it out again. */
  add(subscriber: Member): () => void
  stop(): void
}

const slots = 20

/**
 * Opens a wheel that turns one of its twenty places after the other. A new member goes to the emptiest place,
 * among equals to the one that was turned last, so that its first turn comes about one period from now.
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
    // counted from the start, so that late timers do not add up; after a long stop it does not catch up
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
