import type { HttpClient, PostResult } from '#platform/adapters/http-client/post.ts'
import { monotonicMs, nowMs } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import { isOfPlace, promiseOf, schemaVersionOf } from '../fan-out/render.ts'
import { permits } from '../fan-out/scopes.ts'
import type { Leases } from '../shards/leases.ts'
import type { Care } from './care.ts'
import { noteAttempt } from './health.ts'
import { adapt, type Endpoint, type Item, type Lane, letGo } from './lane.ts'
import type { Lanes } from './lanes.ts'
import { judge, type Outcome, outcomeOf } from './outcome.ts'
import type { Reached } from './reached.ts'
import type { Results } from './results/results.ts'
import { leaveSequence } from './sequence.ts'
import { headersOf } from './sign.ts'

/** What sending needs of its dispatcher. */
export type Sender = {
  log: Pick<Log, 'error'>
  web: HttpClient
  headerPrefix: string | undefined
  lanes: Lanes
  results: Results
  leases: Leases
  care: Care
  reached: Reached
  /** Requests under way by shard, of lanes that were dropped too. */
  underWay: Map<number, number>
  /** A lane has room for more than it has in hand. */
  onHungry(): void
}

/** Sends a notice whose turn it is and follows what comes of it. Never rejects. */
export function send(sender: Sender, lane: Lane, item: Item, request: { at: number }): void {
  const { lanes, leases, underWay } = sender
  const epoch = leases.epochOf(item.shard)
  const endpoint = lane.endpoint!
  // its lane is being dropped
  if (epoch === undefined) {
    lanes.done(lane, request)
    return
  }
  underWay.set(item.shard, (underWay.get(item.shard) ?? 0) + 1)
  const begun = { lane, item, endpoint, epoch, request }
  const promise = promiseOf(item.event)
  const mayHear = !promise || permits(promise, item.about, scope => endpoint.scopes.has(scope))
  const isAsked = promise !== undefined && isOfPlace(promise)
  if (!mayHear) refuse(sender, begun)
  else if (leases.isDangerous(item.shard)) void attemptWithCare(sender, begun, isAsked)
  else if (isAsked) void attemptIfReached(sender, begun)
  else void attempt(sender, begun)
}

type Begun = { lane: Lane; item: Item; endpoint: Endpoint; epoch: number; request: { at: number } }

/** Only once it is known that the application may be told of this now. */
async function attemptIfReached(sender: Sender, begun: Begun): Promise<void> {
  const may = await isInReach(sender, begun)
  if (may) await attempt(sender, begun)
  else if (may === undefined) release(sender, begun)
  else {
    refuse(sender, begun)
    goOn(sender, begun.lane)
  }
}

/** Asks until there is an answer; undefined: the shard is not ours any more. */
async function isInReach({ leases, reached }: Sender, { item, epoch }: Begun): Promise<boolean | undefined> {
  for (;;) {
    const may = await reached(item)
    if (leases.epochOf(item.shard) !== epoch) return undefined
    // one that took as long as a lease may be of before another process's
    if (may !== undefined && leases.areGood()) return may
  }
}

/** The same, alone and counted, until it is recorded. */
async function attemptWithCare(sender: Sender, begun: Begun, isAsked: boolean): Promise<void> {
  const { care, log, results } = sender
  const { deliveryId } = begun.item
  try {
    const what = await care.run(begun.item, begun.epoch, async () => {
      await (isAsked ? attemptIfReached : attempt)(sender, begun)
      await results.flushed()
    })
    if (what === 'NOT_OURS') return release(sender, begun)
    if (what !== 'DEADLY') return
    log.error({ deliveryId }, 'a notice is given up: each process that sent it ended')
    conclude(sender, begun, deadly, 'INTERNAL')
  } catch (error) {
    log.error({ err: error, deliveryId }, 'a notice could not be begun')
    release(sender, begun)
  }
}

/** What follows an attempt. */
function conclude(sender: Sender, begun: Begun, posted: PostResult, outcome: Outcome): void {
  const { lanes, results } = sender
  const { lane, item, endpoint, epoch, request } = begun
  const endedAt = monotonicMs()
  leave(sender, item)
  const verdict = judge(outcome, posted.status, item.tries, item.trigger)
  const { status: final, waitMs } = posted === deadly ? givenUp : verdict
  const secretId = endpoint.signers.current.id
  results.add({ lane, item, epoch, endedAt, outcome, final, waitMs, posted, secretId })
  noteAttempt(lane, outcome, posted.status, final !== null)
  adapt(lane, outcome, posted.status, posted.durationMs)
  // any other end is recorded before the next one is sent
  if (lane.isOrdered && outcome === 'DELIVERED') leaveSequence(lane, item)
  lanes.done(lane, request)
  goOn(sender, lane)
}

/** Ends a notice that may not be sent any more. */
function refuse(sender: Sender, { lane, item, epoch, request }: Begun): void {
  leave(sender, item)
  const end = { final: 'NOT_AUTHORIZED', waitMs: null, outcome: null, posted: undefined } as const
  sender.results.add({ lane, item, epoch, endedAt: monotonicMs(), secretId: null, ...end })
  sender.lanes.done(lane, request)
}

function goOn({ lanes, onHungry }: Sender, lane: Lane): void {
  lanes.pump()
  if (!lane.isComplete) onHungry()
}

/** Not begun, and not in hand any more: what is due of it is found again. */
function release(sender: Sender, { lane, item, request }: Begun): void {
  leave(sender, item)
  lane.inHand.delete(item.deliveryId)
  lane.isComplete = false
  if (lane.isOrdered) {
    leaveSequence(lane, item)
    letGo(lane)
  }
  sender.lanes.done(lane, request)
}

function leave({ underWay }: Sender, { shard }: Item): void {
  const left = underWay.get(shard)! - 1
  if (left === 0) underWay.delete(shard)
  else underWay.set(shard, left)
}

/** One post and what comes of it. What breaks on our side is an attempt that failed, so that a notice that breaks us has an end too. */
function attempt(sender: Sender, begun: Begun): Promise<void> {
  function broken(error: unknown): void {
    sender.log.error({ err: error, deliveryId: begun.item.deliveryId }, 'a notice could not be sent')
    conclude(sender, begun, { ...unsent, error: (error as Error).message }, 'INTERNAL')
  }
  try {
    return post(sender, begun).then(posted => conclude(sender, begun, posted, outcomeOf(posted)), broken)
  } catch (error) {
    return Promise.resolve(broken(error))
  }
}

function post({ headerPrefix, web }: Sender, { lane, item, endpoint }: Begun): Promise<PostResult> {
  const { body: text, deliveryId, event } = item
  const { path, signers, url } = endpoint
  const body = Buffer.from(text)
  const told = { deliveryId, event, schemaVersion: schemaVersionOf(text) }
  const headers = headersOf(told, signers, nowMs(), body, headerPrefix)
  lane.way ??= web.open(url.origin)
  return lane.way.post(path, headers, body)
}

const unsent: PostResult = {
  outcome: 'RESET',
  status: null,
  headers: {},
  answer: '',
  address: null,
  durationMs: 0,
  error: null,
  times: { dns: 0, connect: 0, tls: 0, firstByte: 0, rest: 0 },
}
const deadly: PostResult = { ...unsent, error: 'The process that sent it ended each time' }
const givenUp = { status: 'FAILED', waitMs: null } as const
