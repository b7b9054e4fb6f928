import type { HttpClient, PostResult } from '#platform/adapters/http-client/post.ts'
import { monotonicMs, nowMs } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Span, Traces } from '#platform/traces.ts'
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

/** The parts of the dispatcher that sending uses. */
export type Sender = {
  log: Pick<Log, 'error'>
  http: HttpClient
  /** Undefined: attempts are not traced. */
  traces: Traces | undefined
  headerPrefix: string | undefined
  queues: EndpointQueues
  results: AttemptResults
  leases: Leases
  isolatedSending: IsolatedSending
  mayReceive: RecipientChecker
  /** Requests in flight by shard, including those of dropped queues. */
  inFlightByShard: Map<number, number>
  /** Called when a queue can load more deliveries. */
  onQueueLow(): void
}

/** Sends a delivery and handles its result. Never rejects. */
export function send(
  sender: Sender,
  queue: EndpointQueue,
  delivery: QueuedDelivery,
  request: { at: number },
): void {
  const { queues, leases, inFlightByShard } = sender
  const epoch = leases.epochOf(delivery.shard)
  const endpoint = queue.endpoint!
  // its queue is being dropped
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

/** Sends only if the application may receive the event now. */
async function attemptIfPermitted(sender: Sender, started: StartedAttempt): Promise<void> {
  const may = await isPermittedNow(sender, started)
  if (may) await attempt(sender, started)
  else if (may === undefined) release(sender, started)
  else {
    endNotAuthorized(sender, started)
    continueQueue(sender, started.queue)
  }
}

/** Repeats the check until it has an answer. Undefined if the shard was lost. */
async function isPermittedNow(
  { leases, mayReceive }: Sender,
  { delivery, epoch }: StartedAttempt,
): Promise<boolean | undefined> {
  for (;;) {
    const may = await mayReceive(delivery)
    if (leases.epochOf(delivery.shard) !== epoch) return undefined
    // an answer that took as long as a lease may be outdated
    if (may !== undefined && leases.areValid()) return may
  }
}

/** Sends in isolation: one delivery at a time, its start counted, until the result is recorded. */
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
    log.error({ deliveryId }, 'gave up a webhook delivery: every process that sent it crashed')
    conclude(sender, started, crashedEachTime, 'INTERNAL')
  } catch (error) {
    log.error({ err: error, deliveryId }, 'could not start a webhook delivery')
    release(sender, started)
  }
}

/** Records the result of an attempt and continues the queue. */
function conclude(
  sender: Sender,
  started: StartedAttempt,
  posted: PostResult,
  outcome: AttemptOutcome,
): void {
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
  // other results are recorded before the next delivery is sent
  if (queue.isOrdered && outcome === 'DELIVERED') removeFromSequence(queue, delivery)
  queues.finish(queue, request)
  continueQueue(sender, queue)
}

/** Ends a delivery that may no longer be sent. */
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

/** Drops a delivery that was not started; it stays due and is loaded again. */
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

/** Sends one request. An internal error counts as a failed attempt, so that the delivery ends eventually. */
function attempt(sender: Sender, started: StartedAttempt): Promise<void> {
  function failInternally(error: unknown): void {
    sender.log.error(
      { err: error, deliveryId: started.delivery.deliveryId },
      'could not send a webhook delivery',
    )
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

/** Posts a delivery. Its headers are those of DLV-2 alone: no trace context goes to a receiver. */
function post(
  { headerPrefix, http, traces }: Sender,
  { queue, delivery, endpoint }: StartedAttempt,
): Promise<PostResult> {
  const { body: bodyText, deliveryId, event } = delivery
  const { path, signers, url } = endpoint
  const body = Buffer.from(bodyText)
  const headerFields = { deliveryId, event, schemaVersion: schemaVersionOf(bodyText) }
  const headers = headersOf(headerFields, signers, nowMs(), body, headerPrefix)
  queue.client ??= http.open(url.origin)
  const span = traces?.start({
    name: 'send webhook',
    kind: 'client',
    attributes: {
      'patio.webhook.event': event,
      'patio.webhook.delivery_id': deliveryId,
      'http.request.method': 'POST',
      'http.request.resend_count': delivery.retries,
    },
  })
  const posted = queue.client.post(path, headers, body)
  if (span) void posted.then(result => endSpan(span, result))
  return posted
}

function endSpan(span: Span, result: PostResult): void {
  const outcome = outcomeOf(result)
  if (result.status !== null) span.set({ 'http.response.status_code': result.status })
  span.end(outcome === 'DELIVERED' ? undefined : outcome)
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
const crashedEachTime: PostResult = { ...unsent, error: 'The process that sent it crashed each time' }
const givenUp = { status: 'FAILED', waitMs: null } as const
