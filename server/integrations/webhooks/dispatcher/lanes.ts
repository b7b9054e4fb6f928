import { monotonicMs } from '#platform/clock.ts'
import { type Alarm, openAlarm } from './alarm.ts'
import { type Item, isReady, isSlow, type Lane, openLane, openQueue, take, waitingIn } from './lane.ts'
import { isInSequence, placeInSequence } from './sequence.ts'

/** All lanes of this process and the turns in which they send. */
export type Lanes = {
  all(): Iterable<Lane>
  find(applicationId: string): Lane | undefined
  /** The lane of an application, opened when there is none. */
  open(place: Pick<Lane, 'organizationId' | 'applicationId' | 'shard'>): Lane
  /** Takes a notice in hand, to be sent when it is due. False when it is there already. */
  add(lane: Lane, item: Item): boolean
  /** Again after its wait, when the attempt before is recorded. */
  addAgain(lane: Lane, item: Item): void
  /** What was sent has its answer; the lane may go on. */
  done(lane: Lane, request: { at: number }): void
  /** Gives turns to all that can send. */
  pump(): void
  /** A lane that can send again, for a reason outside of it. */
  wake(lane: Lane): void
  /** Marks lanes whose requests hang, before they end. */
  watch(): void
  drop(lane: Lane): void
  inFlight(): number
  stop(): void
}

export type LanesOptions = {
  /** Requests under way at a time. Lanes that are slow have a quarter beside it, together. */
  cap: number
  mayWork(): boolean
  send(lane: Lane, item: Item, request: { at: number }): void
}

const hangingMs = 1_000
/** Requests begun in one turn of the process: answers, results and the relay are looked at in between. */
export const atOnce = 16

/**
 * Turns in a ring: each lane that can send sends one and goes to the end. A lane that is full waits for its own
 * slot and costs the others nothing; slow ones never take the room of those that are quick.
 */
export function openLanes({ cap, mayWork, send }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>()
  const ring = openQueue<Lane>()
  const slowRing = openQueue<Lane>()
  const slowCap = Math.max(1, Math.floor(cap / 4))
  let quickInFlight = 0
  let slowInFlight = 0
  let left = atOnce
  let breather: NodeJS.Immediate | undefined
  const alarm: Alarm<{ lane: Lane; round?: number; item?: Item }> = openAlarm(({ lane, item, round }) => {
    if (lanes.get(lane.applicationId) !== lane) return
    if (!item) lane.isPaced = false
    else if (round === lane.round) enter(lane, item)
    wake(lane)
    pump()
  })

  function enter(lane: Lane, item: Item): void {
    if (item.tries > 0) lane.retries.add(item)
    else lane.firsts.add(item)
  }
  function addInSequence(lane: Lane, item: Item): void {
    placeInSequence(lane, item)
    if (item.dueAt > monotonicMs()) alarm.set(item.dueAt, { lane })
  }
  function wake(lane: Lane): void {
    if (lane.isQueued || waitingIn(lane) === 0) return
    const at = monotonicMs()
    if (at < lane.notBefore) {
      if (!lane.isPaced) alarm.set(lane.notBefore, { lane })
      lane.isPaced = true
      return
    }
    if (!isReady(lane, at)) return
    lane.isQueued = true
    ;(lane.isSlow ? slowRing : ring).add(lane)
  }
  function turn(lane: Lane): void {
    lane.isQueued = false
    const at = monotonicMs()
    if (lanes.get(lane.applicationId) !== lane || !isReady(lane, at)) {
      wake(lane)
      return
    }
    const item = take(lane, at)!
    const request = { at }
    lane.begun.add(request)
    item.isSent = true
    lane.inFlight++
    lane.usedAt = at
    if (lane.isSlow) slowInFlight++
    else quickInFlight++
    const { maxPerSecond = null } = lane.endpoint ?? {}
    // a little may be made up for what was not used
    if (maxPerSecond !== null) lane.notBefore = Math.max(lane.notBefore, at - 50) + 1000 / maxPerSecond
    send(lane, item, request)
    wake(lane)
  }
  function pump(): void {
    if (!mayWork()) return
    for (; left > 0 && quickInFlight < cap; left--) {
      const lane = ring.take()
      if (!lane) break
      turn(lane)
    }
    for (; left > 0 && slowInFlight < slowCap; left--) {
      const lane = slowRing.take()
      if (!lane) break
      turn(lane)
    }
    if (left > 0 || breather) return
    breather = setImmediate(() => {
      breather = undefined
      left = atOnce
      pump()
    })
  }
  /** A lane changes sides with all that it has under way, which frees the room that it took. */
  function setSlow(lane: Lane, slow: boolean): void {
    if (lane.isSlow === slow) return
    lane.isSlow = slow
    const moved = slow ? lane.inFlight : -lane.inFlight
    slowInFlight += moved
    quickInFlight -= moved
  }

  return {
    all: () => lanes.values(),
    find: applicationId => lanes.get(applicationId),
    open(place) {
      const lane = lanes.get(place.applicationId) ?? openLane(place, monotonicMs())
      lanes.set(place.applicationId, lane)
      return lane
    },
    add(lane, item) {
      if (lane.inHand.has(item.deliveryId)) return false
      lane.inHand.set(item.deliveryId, item)
      if (item.range) item.range.inHand++
      if (isInSequence(lane, item)) addInSequence(lane, item)
      else if (item.dueAt > monotonicMs()) alarm.set(item.dueAt, { lane, item, round: lane.round })
      else enter(lane, item)
      wake(lane)
      return true
    },
    addAgain(lane, item) {
      lane.inHand.set(item.deliveryId, item)
      if (isInSequence(lane, item)) addInSequence(lane, item)
      else alarm.set(item.dueAt, { lane, item, round: lane.round })
    },
    done(lane, request) {
      setSlow(lane, isSlow(lane))
      lane.begun.delete(request)
      lane.inFlight--
      if (lane.isSlow) slowInFlight--
      else quickInFlight--
      lane.usedAt = monotonicMs()
      wake(lane)
    },
    pump,
    wake,
    watch() {
      const before = monotonicMs() - hangingMs
      for (const lane of lanes.values()) {
        const [oldest] = lane.begun
        if (oldest && oldest.at < before) setSlow(lane, true)
      }
    },
    drop(lane) {
      if (lanes.get(lane.applicationId) !== lane) return
      lanes.delete(lane.applicationId)
      lane.retries.clear()
      lane.firsts.clear()
      lane.way?.close()
    },
    inFlight: () => quickInFlight + slowInFlight,
    stop() {
      alarm.stop()
      clearImmediate(breather)
    },
  }
}
