import type { Item, Lane } from './lane.ts'

// An endpoint that asks for order has one more list: its automatic deliveries in hand, in the order of their ids. Only
// the first of them may be sent, and it stays first until it was delivered or its end is recorded. Retries and
// recoveries that a person asked for are not part of it: they are sent when they are due, one request at a time.

/** True when the delivery has to wait for those before it. */
export function isInSequence({ isOrdered }: Lane, { trigger }: Item): boolean {
  return isOrdered && trigger === 'AUTOMATIC'
}

/** Puts a delivery in its place, or in the place of its attempt before. */
export function placeInSequence({ sequence }: Lane, item: Item): void {
  let at = sequence.length
  while (at > 0 && sequence[at - 1]!.deliveryId >= item.deliveryId) at--
  const isThere = sequence[at]?.deliveryId === item.deliveryId
  sequence.splice(at, isThere ? 1 : 0, item)
}

/** The next one may follow. */
export function leaveSequence(lane: Lane, { deliveryId }: Item): void {
  const at = lane.sequence.findIndex(one => one.deliveryId === deliveryId)
  if (at !== -1) lane.sequence.splice(at, 1)
}

/** Follows the option of the endpoint: what is in hand is in the sequence from now on, or is not any more. */
export function setOrdered(lane: Lane, isOrdered: boolean): void {
  lane.isOrdered = isOrdered
  lane.sequence = []
  if (!isOrdered) return
  for (const item of lane.inHand.values()) if (isInSequence(lane, item)) placeInSequence(lane, item)
}
