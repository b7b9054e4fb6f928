import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'

// An endpoint that asks for order has one more list: its automatic deliveries in hand, in the order of their ids. Only
// the first of them may be sent, and it stays first until it was delivered or its end is recorded. Retries and
// recoveries that a person asked for are not part of it: they are sent when they are due, one request at a time.

/** True when the delivery has to wait for those before it. */
export function isInSequence({ isOrdered }: EndpointQueue, { trigger }: QueuedDelivery): boolean {
  return isOrdered && trigger === 'AUTOMATIC'
}

/** Puts a delivery in its place, or in the place of its attempt before. */
export function insertInSequence({ sequence }: EndpointQueue, delivery: QueuedDelivery): void {
  let at = sequence.length
  while (at > 0 && sequence[at - 1]!.deliveryId >= delivery.deliveryId) at--
  const isThere = sequence[at]?.deliveryId === delivery.deliveryId
  sequence.splice(at, isThere ? 1 : 0, delivery)
}

/** The next one may follow. */
export function removeFromSequence(queue: EndpointQueue, { deliveryId }: QueuedDelivery): void {
  const at = queue.sequence.findIndex(one => one.deliveryId === deliveryId)
  if (at !== -1) queue.sequence.splice(at, 1)
}

/** Follows the option of the endpoint: what is in hand is in the sequence from now on, or is not any more. */
export function setOrdered(queue: EndpointQueue, isOrdered: boolean): void {
  queue.isOrdered = isOrdered
  queue.sequence = []
  if (!isOrdered) return
  for (const delivery of queue.loaded.values())
    if (isInSequence(queue, delivery)) insertInSequence(queue, delivery)
}
