import type { OriginClient } from '#platform/adapters/http-client/post.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { Range } from '../fresh.ts'
import type { Outcome, Trigger } from './outcome.ts'
import type { Signers } from './sign.ts'

/** A notice in hand. `dueAt` is a place of this process's monotonic clock. */
export type Item = {
  shard: number
  organizationId: string
  applicationId: string
  deliveryId: string
  event: string
  about: EventSubject
  body: string
  /** What stands for it in the database; null: a row of its own. */
  range: Range | null
  attempt: number
  tries: number
  trigger: Trigger
  dueAt: number
  /** It was sent, and its result is not recorded. */
  isSent: boolean
}

/** Where a lane leads, as it was read last. */
export type Endpoint = {
  url: URL
  /** Path and query of it. */
  path: string
  signers: Signers
  scopes: ReadonlySet<string>
  maxPerSecond: number | null
  isFailing: boolean
  /** Tells whether any of it changed. */
  mark: string
}

/** The waiting notices of one endpoint, and how many of them it may have at a time. */
export type Lane = {
  readonly organizationId: string
  readonly applicationId: string
  readonly shard: number
  /** Undefined while nothing may be sent to it. */
  endpoint: Endpoint | undefined
  /** It was not read for so long that it is read again before anything is sent. */
  isStale: boolean
  way: OriginClient | undefined
  /** Due now: notices that failed before, and those that are new. */
  readonly retries: Queue<Item>
  readonly firsts: Queue<Item>
  /** The endpoint takes one delivery at a time, in order. */
  isOrdered: boolean
  /** Of an ordered endpoint the deliveries in hand, in order, instead of the two queues; see sequence.ts. */
  sequence: Item[]
  /** All that are in hand by their ids: waiting, under way, or with a result that is not recorded. */
  inHand: Map<string, Item>
  /** Grows when what waits is let go: alarms that were set before mean nothing then. */
  round: number
  /** How far this lane was read: what is due later comes next. At the start again now and then, for what came in late. */
  cursor: { dueAt: string; deliveryId: string; rangeFrom: string; freshId: string }
  rereadAt: number
  loadedAt: number
  /** There is nothing in the table that is not in hand, as far as this process knows. */
  isComplete: boolean
  /** What is not in hand is being read. */
  isLoading: boolean
  /** It is time to look whether it really is complete. */
  isDoubted: boolean
  inFlight: number
  width: number
  successes: number
  failures: number
  meanMs: number
  isSlow: boolean
  isQueued: boolean
  /** Before this no other one may be sent, when the endpoint takes so many in a second. */
  notBefore: number
  isPaced: boolean
  /** When each request that is under way was begun, in order. */
  readonly begun: Set<{ at: number }>
  usedAt: number
  readAt: number
  health: Health
}

/** What attempts said of an endpoint since it was written down, which was at `notedAt`. */
export type Health = {
  hasDelivered: boolean
  /** Since the last success. */
  failedAttempts: number
  failedDeliveries: number
  isGone: boolean
  notedAt: number
}

export function freshHealth(notedAt: number): Health {
  return { hasDelivered: false, failedAttempts: 0, failedDeliveries: 0, isGone: false, notedAt }
}

/** Before everything that is due. */
export const start: Lane['cursor'] = { dueAt: '-infinity', deliveryId: '', rangeFrom: '', freshId: '' }
export const firstWidth = 8
export const mostWidth = 64
const refusals = 5
const slowMs = 1_000
const quickMs = 500
/** Weight of the newest answer in the mean. */
const weight = 0.2

export function openLane(place: Pick<Lane, 'organizationId' | 'applicationId' | 'shard'>, at: number): Lane {
  return {
    ...place,
    endpoint: undefined,
    isStale: false,
    way: undefined,
    retries: openQueue(),
    firsts: openQueue(),
    isOrdered: false,
    sequence: [],
    inHand: new Map(),
    round: 0,
    cursor: start,
    rereadAt: at,
    loadedAt: 0,
    isComplete: false,
    isLoading: false,
    isDoubted: false,
    inFlight: 0,
    width: firstWidth,
    successes: 0,
    failures: 0,
    meanMs: 0,
    isSlow: false,
    isQueued: false,
    notBefore: 0,
    isPaced: false,
    begun: new Set(),
    usedAt: at,
    readAt: 0,
    health: freshHealth(0),
  }
}

export function waitingIn(lane: Lane): number {
  return lane.retries.size() + lane.firsts.size() + lane.sequence.length
}

/** The first delivery of an ordered endpoint, when it may be sent now. */
function firstInSequence({ sequence }: Lane, at: number): Item | undefined {
  const [first] = sequence
  return first && !first.isSent && first.dueAt <= at ? first : undefined
}

/** True when the next notice of the lane could be sent at once. */
export function isReady(lane: Lane, at: number): boolean {
  const { endpoint, inFlight, isOrdered, isStale, notBefore, width } = lane
  if (endpoint === undefined || isStale || at < notBefore) return false
  if (!isOrdered) return inFlight < width && waitingIn(lane) > 0
  const isOneDue = lane.retries.size() + lane.firsts.size() > 0 || firstInSequence(lane, at) !== undefined
  return inFlight === 0 && isOneDue
}

/** Lets go of what waits: it stays due in the table. What was sent stays in hand until it is recorded. */
export function letGo(lane: Lane): void {
  lane.round++
  lane.retries.clear()
  lane.firsts.clear()
  lane.sequence = lane.sequence.filter(({ isSent }) => isSent)
  lane.inHand = new Map([...lane.inHand].filter(([, { isSent }]) => isSent))
  Object.assign(lane, { isComplete: false, cursor: start })
}

/** What failed before goes first. */
export function take(lane: Lane, at: number): Item | undefined {
  return lane.retries.take() ?? lane.firsts.take() ?? firstInSequence(lane, at)
}

/**
 * Follows what an attempt shows: an endpoint that answers gets one more at a time for each round of successes, one
 * that lets us wait or turns us away half as many, and one that does not let us in five times in a row a single one.
 */
export function adapt(lane: Lane, outcome: Outcome, status: number | null, durationMs: number): void {
  lane.meanMs += (durationMs - lane.meanMs) * (lane.meanMs === 0 ? 1 : weight)
  if (outcome === 'TIMEOUT' || status === 429 || status === 503) lane.width = Math.max(1, lane.width >> 1)
  if (status !== null) {
    lane.failures = 0
    if (outcome === 'DELIVERED' && lane.inFlight + 1 >= lane.width && ++lane.successes >= lane.width) {
      lane.successes = 0
      if (lane.meanMs < slowMs) lane.width = Math.min(mostWidth, lane.width + 1)
    }
  } else if (++lane.failures >= refusals) lane.width = 1
}

/** Whether it keeps requests waiting, by its last answers. */
export function isSlow({ isSlow: before, meanMs }: Pick<Lane, 'isSlow' | 'meanMs'>): boolean {
  return meanMs > slowMs || (before && meanMs > quickMs)
}

/** First in, first out, without moving what waits. */
export type Queue<T> = {
  add(one: T): void
  take(): T | undefined
  size(): number
  clear(): void
}

export function openQueue<T>(): Queue<T> {
  let list: T[] = []
  let head = 0
  return {
    add: one => void list.push(one),
    take() {
      if (head === list.length) return undefined
      const one = list[head]!
      list[head++] = undefined as T
      if (head > 1_024 && head * 2 > list.length) {
        list = list.slice(head)
        head = 0
      }
      return one
    },
    size: () => list.length - head,
    clear() {
      list = []
      head = 0
    },
  }
}
