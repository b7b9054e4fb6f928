import TinyQueue from 'tinyqueue'
import type { DueDelivery } from '../../due-delivery.ts'
import { openFifoQueue } from './fifo-queue.ts'

const byDueTime = (a: DueDelivery, b: DueDelivery) => a.due.at - b.due.at
const byId = (a: DueDelivery, b: DueDelivery) => (a.deliveryId < b.deliveryId ? -1 : 1)

/**
 * The deliveries of one endpoint in memory. Each is in one of three states: it waits for its time, it is due, or it was
 * taken to be sent and its result is not recorded yet.
 *
 * Retries are taken before first attempts. If the endpoint is ordered, automatic deliveries are taken in the order of
 * their ids, and only when the one before has ended (DLV-16). Manual retries and recoveries are not part of that order.
 */
export class DueDeliveries {
  /** Deliveries that wait for their time. */
  #later = new TinyQueue<DueDelivery>([], byDueTime)
  /** Deliveries that are due. */
  readonly #retries = openFifoQueue<DueDelivery>()
  readonly #firstAttempts = openFifoQueue<DueDelivery>()
  /** The automatic deliveries of an ordered endpoint, whenever they are due. */
  #sequence = new TinyQueue<DueDelivery>([], byId)
  readonly #waitingIds = new Set<string>()
  readonly #taken = new Map<string, DueDelivery>()
  /** Taken deliveries whose end the sequence awaits. */
  readonly #blockingIds = new Set<string>()
  #isOrdered = false

  get isOrdered(): boolean {
    return this.#isOrdered
  }
  /** Deliveries in any of the three states. */
  get size(): number {
    return this.#waitingIds.size + this.#taken.size
  }
  has(deliveryId: string): boolean {
    return this.#waitingIds.has(deliveryId) || this.#taken.has(deliveryId)
  }
  ids(): string[] {
    return [...this.#waitingIds, ...this.#taken.keys()]
  }

  /** Adds a delivery that is not in memory. */
  add(delivery: DueDelivery, now: number): void {
    this.#waitingIds.add(delivery.deliveryId)
    if (this.#isInSequence(delivery)) this.#sequence.push(delivery)
    else if (delivery.due.at > now) this.#later.push(delivery)
    else this.#addDue(delivery)
  }

  /** Deliveries that are due; in a sequence, all that wait. */
  dueCount(now: number): number {
    this.#moveDue(now)
    return this.#retries.size() + this.#firstAttempts.size() + this.#sequence.length
  }

  /** True if a delivery can be taken. */
  isAnyDue(now: number): boolean {
    this.#moveDue(now)
    return (
      this.#retries.size() > 0 || this.#firstAttempts.size() > 0 || this.#nextInSequence(now) !== undefined
    )
  }

  /** Takes the next delivery that is due. It stays in memory until `remove`. */
  take(now: number): DueDelivery | undefined {
    this.#moveDue(now)
    const delivery = this.#retries.take() ?? this.#firstAttempts.take() ?? this.#takeFromSequence(now)
    if (!delivery) return undefined
    this.#waitingIds.delete(delivery.deliveryId)
    this.#taken.set(delivery.deliveryId, delivery)
    return delivery
  }

  /** Lets the sequence continue after a taken delivery that has arrived. */
  unblock(deliveryId: string): void {
    this.#blockingIds.delete(deliveryId)
  }

  /** Removes a taken delivery. */
  remove(deliveryId: string): void {
    this.#taken.delete(deliveryId)
    this.#blockingIds.delete(deliveryId)
  }

  /** Drops the deliveries that were not taken. They stay due in the tables. */
  dropWaiting(): void {
    this.#later = new TinyQueue([], byDueTime)
    this.#retries.clear()
    this.#firstAttempts.clear()
    this.#sequence = new TinyQueue([], byId)
    this.#waitingIds.clear()
  }

  /** Changes the order for deliveries that are added from now on. None may wait. A new sequence awaits all taken ones. */
  setOrdered(isOrdered: boolean): void {
    this.#isOrdered = isOrdered
    this.#blockingIds.clear()
    for (const delivery of this.#taken.values())
      if (this.#isInSequence(delivery)) this.#blockingIds.add(delivery.deliveryId)
  }

  #isInSequence({ due }: DueDelivery): boolean {
    return this.#isOrdered && due.trigger === 'AUTOMATIC'
  }
  #addDue(delivery: DueDelivery): void {
    if (delivery.due.retries > 0) this.#retries.add(delivery)
    else this.#firstAttempts.add(delivery)
  }
  #moveDue(now: number): void {
    for (let next = this.#later.peek(); next && next.due.at <= now; next = this.#later.peek()) {
      this.#later.pop()
      this.#addDue(next)
    }
  }
  #nextInSequence(now: number): DueDelivery | undefined {
    const next = this.#sequence.peek()
    return next && this.#blockingIds.size === 0 && next.due.at <= now ? next : undefined
  }
  #takeFromSequence(now: number): DueDelivery | undefined {
    const next = this.#nextInSequence(now)
    if (!next) return undefined
    this.#sequence.pop()
    this.#blockingIds.add(next.deliveryId)
    return next
  }
}
