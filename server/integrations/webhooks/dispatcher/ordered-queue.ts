import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'

// The queue of an ordered endpoint keeps its automatic deliveries in the order of their ids. Only the first of them may be
// sent, and it stays first until it was delivered or its final status is recorded. Manual retries and recoveries are not
// part of the order: they are sent when they are due, one request at a time.

/** True if the delivery must wait for those before it. */
export function isInSequence({ isOrdered }: EndpointQueue, { trigger }: QueuedDelivery): boolean {
  return isOrdered && trigger === 'AUTOMATIC'
}

/** Inserts a delivery by its id, or replaces its previous attempt. */
export function insertInSequence({ sequence }: EndpointQueue, delivery: QueuedDelivery): void {
  let at = sequence.length
  while (at > 0 && sequence[at - 1]!.deliveryId >= delivery.deliveryId) at--
  const isThere = sequence[at]?.deliveryId === delivery.deliveryId
  sequence.splice(at, isThere ? 1 : 0, delivery)
}

/** Removes a delivery, so that the next one may follow. */
export function removeFromSequence(queue: EndpointQueue, { deliveryId }: QueuedDelivery): void {
  const at = queue.sequence.findIndex(one => one.deliveryId === deliveryId)
  if (at !== -1) queue.sequence.splice(at, 1)
}

/** Applies the `ordered` option of the endpoint to the loaded deliveries. */
export function setOrdered(queue: EndpointQueue, isOrdered: boolean): void {
  queue.isOrdered = isOrdered
  queue.sequence = []
  if (!isOrdered) return
  for (const delivery of queue.loaded.values())
    if (isInSequence(queue, delivery)) insertInSequence(queue, delivery)
}
