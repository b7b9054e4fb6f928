import type { AttemptOutcome } from '../sending/attempt-outcome.ts'

/** A request in flight. */
export type StartedRequest = { startedAt: number }

export const initialConcurrency = 8
export const maxConcurrency = 64
const connectionFailureLimit = 5
const slowMs = 1_000
const quickMs = 500
/** Weight of the newest response time in the average. */
const newestWeight = 0.2

/** The requests of one endpoint in flight, and how many it gets at a time (DLV-9). */
export class RequestLimit {
  concurrency = initialConcurrency
  /** The endpoint belongs to the group of slow ones. */
  isSlow = false
  /** The average response time. */
  averageMs = 0
  /** Successes since the concurrency last grew, and failed connections in a row. */
  #successes = 0
  #failedConnections = 0
  /** The requests in flight, in the order of their start. */
  readonly #started = new Set<StartedRequest>()

  get inFlight(): number {
    return this.#started.size
  }
  start(at: number): StartedRequest {
    const request = { startedAt: at }
    this.#started.add(request)
    return request
  }
  end(request: StartedRequest): void {
    this.#started.delete(request)
  }
  /** True if a request in flight started before a time. */
  isAnyOlderThan(time: number): boolean {
    const [oldest] = this.#started
    return oldest !== undefined && oldest.startedAt < time
  }

  /**
   * Adapts the concurrency to the result of an attempt. A round of successes adds one request. A timeout, 429 or 503
   * halves it. Five failed connections in a row reduce it to one.
   */
  adapt(outcome: AttemptOutcome, status: number | null, durationMs: number): void {
    this.averageMs += (durationMs - this.averageMs) * (this.averageMs === 0 ? 1 : newestWeight)
    if (outcome === 'TIMEOUT' || status === 429 || status === 503)
      this.concurrency = Math.max(1, this.concurrency >> 1)
    if (status === null) {
      if (++this.#failedConnections >= connectionFailureLimit) this.concurrency = 1
      return
    }
    this.#failedConnections = 0
    const isUsed = this.inFlight + 1 >= this.concurrency
    if (outcome !== 'DELIVERED' || !isUsed || ++this.#successes < this.concurrency) return
    this.#successes = 0
    if (this.averageMs < slowMs) this.concurrency = Math.min(maxConcurrency, this.concurrency + 1)
  }

  /** True if the endpoint answers slowly, by its average response time. */
  answersSlowly(): boolean {
    return this.averageMs > slowMs || (this.isSlow && this.averageMs > quickMs)
  }
}
