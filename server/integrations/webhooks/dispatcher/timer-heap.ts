import { monotonicMs } from '#platform/clock.ts'

/** Values that are due at a time of the monotonic clock: never early, and soon after. */
export type TimerHeap<T> = {
  set(at: number, value: T): void
  size(): number
  stop(): void
}

/** Orders the values in a heap with one timer for all. Calls `onDue` with each value when it is due. */
export function openTimerHeap<T>(onDue: (value: T) => void): TimerHeap<T> {
  const heap: { at: number; value: T }[] = []
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  function less(a: number, b: number): boolean {
    return heap[a]!.at < heap[b]!.at
  }
  function swap(a: number, b: number): void {
    ;[heap[a], heap[b]] = [heap[b]!, heap[a]!]
  }
  function up(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!less(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }
  function down(): void {
    for (let at = 0; ; ) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && less(child, first)) first = child
      if (first === at) return
      swap(at, first)
      at = first
    }
  }
  function schedule(): void {
    const next = heap[0]
    if (!next || next.at >= timerAt) return
    clearTimeout(timer)
    timerAt = next.at
    // a timer may fire up to a millisecond early
    timer = setTimeout(tick, Math.max(0, Math.ceil(next.at - monotonicMs())) + 1)
  }
  function tick(): void {
    timerAt = Number.POSITIVE_INFINITY
    const at = monotonicMs()
    while (heap.length > 0 && heap[0]!.at <= at) {
      const { value } = heap[0]!
      const last = heap.pop()!
      if (heap.length > 0) {
        heap[0] = last
        down()
      }
      onDue(value)
    }
    schedule()
  }

  return {
    set(at, value) {
      heap.push({ at, value })
      up(heap.length - 1)
      schedule()
    },
    size: () => heap.length,
    stop() {
      clearTimeout(timer)
      heap.length = 0
      timerAt = Number.POSITIVE_INFINITY
    },
  }
}
