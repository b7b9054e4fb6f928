import type { PostResult } from '#platform/adapters/http-client/post.ts'
import { monotonicMs, nowMs } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Span, Traces } from '#platform/traces.ts'
import type { DueDelivery } from '../../due-delivery.ts'
import { eventDefinition, needsRecipientCheck, schemaVersionOf } from '../../fan-out/render.ts'
import { scopesPermit } from '../../fan-out/scopes.ts'
import type { Leases } from '../../shards/leases.ts'
import type { AttemptEnd, StartedAttempt } from '../attempt.ts'
import type { EndpointQueue } from '../queues/endpoint-queue.ts'
import type { EndpointQueues } from '../queues/endpoint-queues.ts'
import type { StartedRequest } from '../queues/request-limit.ts'
import { countAttempt } from '../results/attempt-counts.ts'
import type { AttemptResults } from '../results/attempt-results.ts'
import { type AttemptOutcome, decideNext, outcomeOf } from './attempt-outcome.ts'
import type { IsolatedSending } from './isolated-sending.ts'
import type { RecipientChecker } from './recipient-checks.ts'
import { headersOf } from './sign.ts'

/** The parts of the dispatcher that sending uses. */
export type Sender = {
  log: Pick<Log, 'error'>
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

/** Sends a delivery that was taken from its queue, and reports its result. Never rejects. */
export function send(
  sender: Sender,
  queue: EndpointQueue,
  delivery: DueDelivery,
  request: StartedRequest,
): void {
  const { queues, leases, inFlightByShard } = sender
  const { about, event, shard } = delivery
  const epoch = leases.epochOf(shard)
  const endpoint = queue.endpoint!
  // its queue is being dropped
  if (epoch === undefined) {
    queues.finish(queue, request)
    return
  }
  inFlightByShard.set(shard, (inFlightByShard.get(shard) ?? 0) + 1)
  const started: StartedAttempt = { queue, delivery, endpoint, epoch, request }
  const definition = eventDefinition(event)
  const hasScopes = !definition || scopesPermit(definition, about, scope => endpoint.scopes.has(scope))
  const needsCheck = definition !== undefined && needsRecipientCheck(definition)
  if (!hasScopes) end(sender, started, notAuthorized)
  else if (leases.isCrashProne(shard)) void attemptIsolated(sender, started, needsCheck)
  else if (needsCheck) void attemptIfPermitted(sender, started)
  else void attempt(sender, started)
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
    conclude(sender, started, { outcome: 'INTERNAL', posted: crashedEachTime, final: 'FAILED', waitMs: null })
  } catch (error) {
    log.error({ err: error, deliveryId }, 'could not start a webhook delivery')
    release(sender, started)
  }
}

/** Sends only if the application may receive the event now (DLV-8). */
async function attemptIfPermitted(sender: Sender, started: StartedAttempt): Promise<void> {
  const may = await isPermittedNow(sender, started)
  if (may) await attempt(sender, started)
  else if (may === undefined) release(sender, started)
  else {
    end(sender, started, notAuthorized)
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

/** Sends one request. An internal error counts as a failed attempt, so that the delivery ends eventually (DLV-6). */
function attempt(sender: Sender, started: StartedAttempt): Promise<void> {
  function failInternally(error: unknown): void {
    sender.log.error(
      { err: error, deliveryId: started.delivery.deliveryId },
      'could not send a webhook delivery',
    )
    concludePosted(sender, started, { ...unsent, error: (error as Error).message }, 'INTERNAL')
  }
  try {
    return post(sender, started).then(
      posted => concludePosted(sender, started, posted, outcomeOf(posted)),
      failInternally,
    )
  } catch (error) {
    return Promise.resolve(failInternally(error))
  }
}

/** Posts a delivery. Its headers are those of DLV-2 alone: no trace context goes to a receiver. */
function post({ headerPrefix, traces }: Sender, { delivery, endpoint }: StartedAttempt): Promise<PostResult> {
  const { body: bodyText, deliveryId, due, event } = delivery
  const body = Buffer.from(bodyText)
  const headerFields = { deliveryId, event, schemaVersion: schemaVersionOf(bodyText) }
  const headers = headersOf(headerFields, endpoint.signers, nowMs(), body, headerPrefix)
  const span = traces?.start({
    name: 'send webhook',
    kind: 'client',
    attributes: {
      'patio.webhook.event': event,
      'patio.webhook.delivery_id': deliveryId,
      'http.request.method': 'POST',
      'http.request.resend_count': due.retries,
    },
  })
  const posted = endpoint.client.post(endpoint.path, headers, body)
  if (span) void posted.then(result => endSpan(span, result))
  return posted
}

function endSpan(span: Span, result: PostResult): void {
  const outcome = outcomeOf(result)
  if (result.status !== null) span.set({ 'http.response.status_code': result.status })
  span.end(outcome === 'DELIVERED' ? undefined : outcome)
}

/** Decides what follows a request. */
function concludePosted(
  sender: Sender,
  started: StartedAttempt,
  posted: PostResult,
  outcome: AttemptOutcome,
): void {
  const verdict = decideNext(outcome, posted.status, started.delivery.due)
  conclude(sender, started, { outcome, posted, ...verdict })
}

/** Ends an attempt that was made, adapts to its result, and continues the queue. */
function conclude(
  sender: Sender,
  started: StartedAttempt,
  attemptEnd: Exclude<AttemptEnd, { outcome: null }>,
): void {
  const { queue, delivery } = started
  const { final, outcome, posted } = attemptEnd
  countAttempt(queue.counts, outcome, posted.status, final !== null)
  queue.requests.adapt(outcome, posted.status, posted.durationMs)
  // other results are recorded before the next delivery is sent
  if (outcome === 'DELIVERED') queue.deliveries.unblock(delivery.deliveryId)
  end(sender, started, attemptEnd)
  continueQueue(sender, queue)
}

/** Ends an attempt: its result is recorded, and its request is over. */
function end(sender: Sender, started: StartedAttempt, attemptEnd: AttemptEnd): void {
  countFinished(sender, started)
  sender.results.add({ ...started, endedAt: monotonicMs(), end: attemptEnd })
  sender.queues.finish(started.queue, started.request)
}

/** Drops a delivery that was not sent; it stays due and is loaded again. */
function release(sender: Sender, started: StartedAttempt): void {
  const { queue, delivery, request } = started
  countFinished(sender, started)
  queue.deliveries.remove(delivery.deliveryId)
  queue.progress.isComplete = false
  if (queue.deliveries.isOrdered) queue.dropWaiting()
  sender.queues.finish(queue, request)
}

function continueQueue({ queues, onQueueLow }: Sender, queue: EndpointQueue): void {
  queues.pump()
  if (!queue.progress.isComplete) onQueueLow()
}

function countFinished({ inFlightByShard }: Sender, { delivery: { shard } }: StartedAttempt): void {
  const remaining = inFlightByShard.get(shard)! - 1
  if (remaining === 0) inFlightByShard.delete(shard)
  else inFlightByShard.set(shard, remaining)
}

const notAuthorized = { outcome: null, posted: null, final: 'NOT_AUTHORIZED', waitMs: null } as const
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
