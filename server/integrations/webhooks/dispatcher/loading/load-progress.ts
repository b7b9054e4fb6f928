/** How far the tables were read for one endpoint: the last row of webhook_due, and the last one of webhook_new_range. */
export type LoadCursor = { dueAt: string; deliveryId: string; rangeFirstId: string; lastId: string }

/** Before all due deliveries. */
export const cursorStart: LoadCursor = { dueAt: '-infinity', deliveryId: '', rangeFirstId: '', lastId: '' }

/** How often a queue that is never idle is checked for late rows. */
const recheckMs = 2_000

/** How much of the due deliveries of one endpoint is in memory. */
export class LoadProgress {
  /** Returns to the start from time to time, to find rows that were written late. */
  cursor = cursorStart
  lastLoadedAt = 0
  /** As far as this process knows, every due delivery is in memory or being read. */
  isComplete = false
  /** Waiting deliveries were dropped during the read: they precede the ones that were read. */
  wasRestarted = false
  #isReading = false
  #needsRecheck = false
  #lastRecheckAt: number

  constructor(now: number) {
    this.#lastRecheckAt = now
  }

  get isNeeded(): boolean {
    return !this.isComplete || this.#needsRecheck
  }
  /** True if nothing is missing, so that a new delivery can follow those in memory. */
  get takesNewDeliveries(): boolean {
    return this.isComplete && !this.#isReading
  }

  /** Begins a read. Setting `isComplete` to false from here on makes another one necessary. */
  begin(): void {
    this.#isReading = !this.isComplete
    this.isComplete = true
    this.#needsRecheck = false
    this.wasRestarted = false
  }
  end(): void {
    this.#isReading = false
  }
  /** Reads from the start again, because waiting deliveries were dropped. */
  restart(): void {
    this.isComplete = false
    this.wasRestarted = true
    this.cursor = cursorStart
  }
  /** Looks for late rows, at once if the queue is idle and otherwise from time to time. */
  recheck(now: number, isIdle: boolean): void {
    if (!isIdle && now - this.#lastRecheckAt <= recheckMs) return
    this.#needsRecheck = true
    this.#lastRecheckAt = now
    this.cursor = cursorStart
  }
}
