import type { OriginClient } from '#platform/adapters/http-client/post.ts'
import { LoadProgress } from '../loading/load-progress.ts'
import { type AttemptCounts, emptyCounts } from '../results/attempt-counts.ts'
import type { DeliverySigners } from '../sending/sign.ts'
import { DueDeliveries } from './due-deliveries.ts'
import { RequestLimit } from './request-limit.ts'

/** An endpoint to which deliveries are sent, as it was last read. */
export type Endpoint = {
  url: URL
  /** Path and query of the URL. */
  path: string
  client: OriginClient
  signers: DeliverySigners
  scopes: ReadonlySet<string>
  maxPerSecond: number | null
  isFailing: boolean
  /** Differs when the URL, the signers, the scopes or the rate changed. */
  fingerprint: string
}

/** The application whose endpoint has a queue. */
export type QueueKey = { organizationId: string; applicationId: string; shard: number }

/** The queue of one endpoint: its deliveries in memory and the requests in flight. */
export class EndpointQueue {
  readonly organizationId: string
  readonly applicationId: string
  readonly shard: number
  readonly deliveries = new DueDeliveries()
  readonly progress: LoadProgress
  readonly requests = new RequestLimit()
  /** Undefined while nothing may be sent. */
  endpoint: Endpoint | undefined
  /** 0: read it again as soon as possible. */
  endpointReadAt = 0
  /** The endpoint must be read again before anything is sent. */
  isEndpointStale = false
  /** Results since the health of the endpoint was last written. */
  counts: AttemptCounts = emptyCounts(0)
  lastUsedAt: number
  /** The queue has a place among those that take turns. */
  isScheduled = false
  /** The earliest time of the next request to an endpoint with a rate limit, and that for which a timer is set. */
  notBefore = 0
  notBeforeTimer = 0

  constructor({ organizationId, applicationId, shard }: QueueKey, now: number) {
    this.organizationId = organizationId
    this.applicationId = applicationId
    this.shard = shard
    this.progress = new LoadProgress(now)
    this.lastUsedAt = now
  }

  /** True if the next delivery can be sent now. */
  isReady(now: number): boolean {
    const { deliveries, endpoint, isEndpointStale, notBefore, requests } = this
    const limit = deliveries.isOrdered ? 1 : requests.concurrency
    return (
      endpoint !== undefined &&
      !isEndpointStale &&
      now >= notBefore &&
      requests.inFlight < limit &&
      deliveries.isAnyDue(now)
    )
  }

  /** Drops the deliveries that were not sent, to read them again. */
  dropWaiting(): void {
    this.deliveries.dropWaiting()
    this.progress.restart()
  }
}
