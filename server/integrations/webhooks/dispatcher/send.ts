import type { Posted, Web } from '#platform/adapters/http-client/post.ts'
import { monotonicMs, nowMs } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import { eventDefinition, needsRecipientCheck, schemaVersionOf } from '../fan-out/render.ts'
import { scopesPermit } from '../fan-out/scopes.ts'
import type { Leases } from '../shards/leases.ts'
import { type AttemptOutcome, decideNext, outcomeOf } from './attempt-outcome.ts'
import { countAttempt } from './endpoint-health.ts'
import {
  adaptConcurrency,
  dropWaiting,
  type Endpoint,
  type EndpointQueue,
  type QueuedDelivery,
} from './endpoint-queue.ts'
import type { EndpointQueues } from './endpoint-queues.ts'
import type { IsolatedSending } from './isolated-sending.ts'
import { removeFromSequence } from './ordered-queue.ts'
import type { RecipientChecker } from './recipient-checks.ts'
import type { AttemptResults } from './results/attempt-results.ts'
import { headersOf } from './sign.ts'

/** What sending needs of its dispatcher. */
export type Sender = {
  log: Pick<Log, 'error'>
  http: Web
  headerPrefix: string | undefined
  queues: EndpointQueues
  results: AttemptResults
  leases: Leases
  isolatedSending: IsolatedSending
  mayReceive: RecipientChecker
  /** Requests under way by shard, of lanes that were dropped too. */
  inFlightByShard: Map<number, number>
  /** A lane has room for more than it has in hand. */
  onQueueLow(): void
}

/** Sends a notice whose turn it is and follows what comes of it. Never rejects. */
export function send(
  sender: Sender,
  queue: EndpointQueue,
  delivery: QueuedDelivery,
  request: { at: number },
): void {
  const { queues, leases, inFlightByShard } = sender
  const epoch = leases.epochOf(delivery.shard)
  const endpoint = queue.endpoint!
  // its lane is being dropped
  if (epoch === undefined) {
    queues.finish(queue, request)
    return
  }
  inFlightByShard.set(delivery.shard, (inFlightByShard.get(delivery.shard) ?? 0) + 1)
  const started = { queue, delivery, endpoint, epoch, request }
  const definition = eventDefinition(delivery.event)
  const hasScopes =
    !definition || scopesPermit(definition, delivery.about, scope => endpoint.scopes.has(scope))
  const needsCheck = definition !== undefined && needsRecipientCheck(definition)
  if (!hasScopes) endNotAuthorized(sender, started)
  else if (leases.isCrashProne(delivery.shard)) void attemptIsolated(sender, started, needsCheck)
  else if (needsCheck) void attemptIfPermitted(sender, started)
  else void attempt(sender, started)
}

type StartedAttempt = {
  queue: EndpointQueue
  delivery: QueuedDelivery
  endpoint: Endpoint
  epoch: number
  request: { at: number }
}

/** Only once it is known that the application may be told of this now. */
async function attemptIfPermitted(sender: Sender, started: StartedAttempt): Promise<void> {
  const may = await isPermittedNow(sender, started)
  if (may) await attempt(sender, started)
  else if (may === undefined) release(sender, started)
  else {
    endNotAuthorized(sender, started)
    continueQueue(sender, started.queue)
  }
}

/** Asks until there is an answer; undefined: the shard is not ours any more. */
async function isPermittedNow(
  { leases, mayReceive }: Sender,
  { delivery, epoch }: StartedAttempt,
): Promise<boolean | undefined> {
  for (;;) {
    const may = await mayReceive(delivery)
    if (leases.epochOf(delivery.shard) !== epoch) return undefined
    // one that took as long as a lease may be of before another process's
    if (may !== undefined && leases.areValid()) return may
  }
}

/** The same, alone and counted, until it is recorded. */
async function attemptIsolated(sender: Sender, started: StartedAttempt, needsCheck: boolean): Promise<void> {
  const { isolatedSending, log, results } = sender
  const { deliveryId } = started.delivery
  try {
    const result = await isolatedSending.run(started.delivery, started.epoch, async () => {
      await (needsCheck ? attemptIfPermitted : attempt)(sender, started)
      await results.flushed()
    })
    if (result === 'NOT_OURS') return release(sender, started)
    if (result !== 'DEADLY') return
    log.error({ deliveryId }, 'a notice is given up: each process that sent it ended')
    conclude(sender, started, crashedEachTime, 'INTERNAL')
  } catch (error) {
    log.error({ err: error, deliveryId }, 'a notice could not be begun')
    release(sender, started)
  }
}

/** What follows an attempt. */
function conclude(sender: Sender, started: StartedAttempt, posted: Posted, outcome: AttemptOutcome): void {
  const { queues, results } = sender
  const { queue, delivery, endpoint, epoch, request } = started
  const endedAt = monotonicMs()
  countFinished(sender, delivery)
  const verdict = decideNext(outcome, posted.status, delivery.retries, delivery.trigger)
  const { status: final, waitMs } = posted === crashedEachTime ? givenUp : verdict
  const secretId = endpoint.signers.current.id
  results.add({ queue, delivery, epoch, endedAt, outcome, final, waitMs, posted, secretId })
  countAttempt(queue, outcome, posted.status, final !== null)
  adaptConcurrency(queue, outcome, posted.status, posted.durationMs)
  // any other end is recorded before the next one is sent
  if (queue.isOrdered && outcome === 'DELIVERED') removeFromSequence(queue, delivery)
  queues.finish(queue, request)
  continueQueue(sender, queue)
}

/** Ends a notice that may not be sent any more. */
function endNotAuthorized(sender: Sender, { queue, delivery, epoch, request }: StartedAttempt): void {
  countFinished(sender, delivery)
  const end = { final: 'NOT_AUTHORIZED', waitMs: null, outcome: null, posted: undefined } as const
  sender.results.add({ queue, delivery, epoch, endedAt: monotonicMs(), secretId: null, ...end })
  sender.queues.finish(queue, request)
}

function continueQueue({ queues, onQueueLow }: Sender, queue: EndpointQueue): void {
  queues.pump()
  if (!queue.isFullyLoaded) onQueueLow()
}

/** Not begun, and not in hand any more: what is due of it is found again. */
function release(sender: Sender, { queue, delivery, request }: StartedAttempt): void {
  countFinished(sender, delivery)
  queue.loaded.delete(delivery.deliveryId)
  queue.isFullyLoaded = false
  if (queue.isOrdered) {
    removeFromSequence(queue, delivery)
    dropWaiting(queue)
  }
  sender.queues.finish(queue, request)
}

function countFinished({ inFlightByShard }: Sender, { shard }: QueuedDelivery): void {
  const remaining = inFlightByShard.get(shard)! - 1
  if (remaining === 0) inFlightByShard.delete(shard)
  else inFlightByShard.set(shard, remaining)
}

/** One post and what comes of it. What breaks on our side is an attempt that failed, so that a notice that breaks us has an end too. */
function attempt(sender: Sender, started: StartedAttempt): Promise<void> {
  function failInternally(error: unknown): void {
    sender.log.error({ err: error, deliveryId: started.delivery.deliveryId }, 'a notice could not be sent')
    conclude(sender, started, { ...unsent, error: (error as Error).message }, 'INTERNAL')
  }
  try {
    return post(sender, started).then(
      posted => conclude(sender, started, posted, outcomeOf(posted)),
      failInternally,
    )
  } catch (error) {
    return Promise.resolve(failInternally(error))
  }
}

function post(
  { headerPrefix, http }: Sender,
  { queue, delivery, endpoint }: StartedAttempt,
): Promise<Posted> {
  const { body: bodyText, deliveryId, event } = delivery
  const { path, signers, url } = endpoint
  const body = Buffer.from(bodyText)
  const told = { deliveryId, event, schemaVersion: schemaVersionOf(bodyText) }
  const headers = headersOf(told, signers, nowMs(), body, headerPrefix)
  queue.client ??= http.open(url.origin)
  return queue.client.post(path, headers, body)
}

const unsent: Posted = {
  outcome: 'RESET',
  status: null,
  headers: {},
  answer: '',
  address: null,
  durationMs: 0,
  error: null,
  times: { dns: 0, connect: 0, tls: 0, firstByte: 0, rest: 0 },
}
const crashedEachTime: Posted = { ...unsent, error: 'The process that sent it ended each time' }
const givenUp = { status: 'FAILED', waitMs: null } as const
