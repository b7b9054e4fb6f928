import TinyQueue from 'tinyqueue'
import { monotonicMs } from '#platform/clock.ts'

/** Values that are due at a time of the monotonic clock: never early, and soon after. */
export type TimerHeap<T> = {
  set(at: number, value: T): void
  size(): number
  stop(): void
}

/** Orders the values in a heap with one timer for all. Calls `onDue` with each value when it is due. */
export function openTimerHeap<T>(onDue: (value: T) => void): TimerHeap<T> {
  let heap = openHeap()
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  function openHeap() {
    return new TinyQueue<{ at: number; value: T }>([], (a, b) => a.at - b.at)
  }
  function schedule(): void {
    const next = heap.peek()
    if (!next || next.at >= timerAt) return
    clearTimeout(timer)
    timerAt = next.at
    // a timer may fire up to a millisecond early
    timer = setTimeout(tick, Math.max(0, Math.ceil(next.at - monotonicMs())) + 1)
  }
  function tick(): void {
    timerAt = Number.POSITIVE_INFINITY
    const now = monotonicMs()
    for (let next = heap.peek(); next && next.at <= now; next = heap.peek()) {
      heap.pop()
      onDue(next.value)
    }
    schedule()
  }

  return {
    set(at, value) {
      heap.push({ at, value })
      schedule()
    },
    size: () => heap.length,
    stop() {
      clearTimeout(timer)
      heap = openHeap()
      timerAt = Number.POSITIVE_INFINITY
    },
  }
}
