import type { EventSubject } from '#platform/events/emit.ts'

/** A delivery as it was written. It never changes: every attempt sends the same bytes (EVT-3). */
export type DeliveryContent = {
  organizationId: string
  applicationId: string
  shard: number
  deliveryId: string
  event: string
  about: EventSubject
  body: string
}

/** A delivery that was just written, with the row of webhook_new_range that covers it. */
export type WrittenDelivery = DeliveryContent & { range: NewRange }

/** A row of webhook_new_range: deliveries of one application that were written together. */
export type NewRange = {
  firstId: string
  lastId: string
  /** Deliveries of the range in the memory of this process. The row can be deleted when there are none. */
  loadedCount: number
}

/** Why a delivery is sent: automatically, by a manual retry, or by a recovery. */
export type DeliveryTrigger = 'AUTOMATIC' | 'MANUAL' | 'RECOVERY'

/** The next attempt of a delivery. */
export type NextAttempt = {
  /** The range that contains the delivery until its first attempt; null if it has a row in webhook_due. */
  range: NewRange | null
  /** The number of the attempt, and the number of earlier attempts in its round of five. */
  attempt: number
  retries: number
  trigger: DeliveryTrigger
  /** A time of this process's monotonic clock. */
  at: number
}

/** A delivery that waits for its next attempt. */
export type DueDelivery = DeliveryContent & { due: NextAttempt }

/** The first attempt of a delivery in a range. */
export function firstAttempt(range: NewRange, at: number): NextAttempt {
  return { range, attempt: 1, retries: 0, trigger: 'AUTOMATIC', at }
}

/** The attempt after one that failed. */
export function retryAt({ attempt, retries, trigger }: NextAttempt, at: number): NextAttempt {
  return { range: null, attempt: attempt + 1, retries: retries + 1, trigger, at }
}
