import type { PostResult } from '#platform/adapters/http-client/post.ts'
import type { DueDelivery } from '../due-delivery.ts'
import type { Endpoint, EndpointQueue } from './queues/endpoint-queue.ts'
import type { StartedRequest } from './queues/request-limit.ts'
import type { AttemptOutcome, AttemptVerdict } from './sending/attempt-outcome.ts'

/** A delivery that was taken from its queue to be sent. */
export type StartedAttempt = {
  queue: EndpointQueue
  delivery: DueDelivery
  /** The endpoint as it was when the delivery was taken. */
  endpoint: Endpoint
  /** The epoch in which this process owned the shard. */
  epoch: number
  request: StartedRequest
}

/** The end of an attempt: its outcome and what follows, or that nothing was sent because the application lost access. */
export type AttemptEnd =
  | ({ outcome: AttemptOutcome; posted: PostResult } & AttemptVerdict)
  | { outcome: null; posted: null; final: 'NOT_AUTHORIZED'; waitMs: null }

/** An attempt whose result must be recorded. `endedAt` is a time of the monotonic clock. */
export type EndedAttempt = StartedAttempt & { endedAt: number; end: AttemptEnd }
