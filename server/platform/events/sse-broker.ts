import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import { now } from '../clock.ts'
import type { Database } from '../data/database.ts'
import { fail } from '../fail.ts'
import type { Caller } from '../http/caller.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { topicOfStream } from './emit.ts'
import { headOf } from './relay.sql.ts'
import type { Signal } from './signal.ts'
import { openConcurrencyLimit } from './sse/concurrency-limit.ts'
import { openingText } from './sse/frames.ts'
import { closeStream, type HeartbeatContext, recheckAccess, sendHeartbeat } from './sse/heartbeat.ts'
import { openStreamLeases } from './sse/leases.ts'
import { beginReceiver } from './sse/receiver.ts'
import { replay, startAt } from './sse/replay.ts'
import { cursorSeparator, type StreamKind, type Subscriber } from './sse/subscriber.ts'
import {
  openSubscribersByOrganization,
  type SubscribersByOrganization,
} from './sse/subscribers-by-organization.ts'
import { openTimerWheel, type TimerWheel } from './sse/timer-wheel.ts'
import type { Topic, TopicContext } from './sse/topic.ts'
import { openTopics, type Topics } from './sse/topics.ts'

export type { StoredEvent } from './relay.sql.ts'
export { streamOf } from './sse/frames.ts'
export type { MayReceive, StreamKind } from './sse/subscriber.ts'

/** A request for an event stream. */
export type StreamRequest = {
  kind: StreamKind
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** The id of the client's last event; absent on the first connection. */
  lastEventId: string | undefined
  /** Throws a refusal if the caller may no longer read this stream. */
  assertAllowed(caller: Caller): void
}

/**
 * The open event streams of an API process. A stream kind belongs to one organization, or all organizations
 * share it, or it carries the events of several streams and has a position in each of their topics.
 */
export type SseBroker = {
  /**
   * Opens an event stream. Refuses a person's sixth stream of a kind with TOO_MANY_STREAMS, over all
   * processes (SSE-4).
   */
  open(streamRequest: StreamRequest): Promise<FastifyReply>
  /** Checks the access of a person, or with null of everybody in the organization, again. */
  recheck(organizationId: string, personId: string | null): void
  /** The number of open streams. */
  size(): number
  /** Ends every stream with a retry time, and refuses new ones. */
  close(): Promise<void>
}

export type SseBrokerOptions = {
  database: Database
  signal: Signal
  log: Pick<Log, 'warn'>
  metrics?: Metrics
  callers: HeartbeatContext['callers']
  heartbeatMs?: number
  /** How long a lost wake-up may delay an event. */
  pollMs?: number
}

/** The state of a broker. */
type BrokerState = HeartbeatContext &
  SseBrokerOptions & {
    byOrganization: SubscribersByOrganization
    topics: Topics
    wheel: TimerWheel<Subscriber>
    topicContext: TopicContext
    isClosing: boolean
  }

const concurrentTopics = 4
const concurrentRechecks = 2

/** Opens the broker. It only writes events to connections; the relay writes to the database. */
export function openSseBroker(options: SseBrokerOptions): SseBroker {
  const {
    database,
    signal,
    log,
    metrics,
    heartbeatMs = limits.streamHeartbeatSeconds * 1000,
    pollMs = 2_000,
  } = options
  const count = metrics && registerStreamMetrics(metrics, () => state.byOrganization.all.size)
  const topicContext: TopicContext = {
    inTurn: openConcurrencyLimit(concurrentTopics),
    onError: error => log.warn({ err: error }, 'events could not be delivered to streams'),
    onDelivered: by => count?.(by),
  }
  const state: BrokerState = {
    ...options,
    byOrganization: openSubscribersByOrganization(),
    topics: openTopics(database, signal, topicContext, pollMs),
    leases: openStreamLeases(database, log),
    wheel: openTimerWheel(heartbeatMs, subscribers => void sendHeartbeat(state, subscribers)),
    topicContext,
    recheckInTurn: openConcurrencyLimit(concurrentRechecks),
    isClosing: false,
  }
  return {
    open: streamRequest => open(state, streamRequest),
    recheck(organizationId, personId) {
      for (const subscriber of state.byOrganization.of(organizationId)) {
        if (personId === null || subscriber.caller.personId === personId)
          void recheckAccess(state, subscriber)
      }
    },
    size: () => state.byOrganization.all.size,
    close: () => close(state),
  }
}

/** Registers the metrics of streams, and returns the counter of written events. */
export function registerStreamMetrics(metrics: Metrics, size: () => number): (by?: number) => void {
  metrics.gauge('patio_streams', 'Open streams', size)
  return metrics.count('patio_stream_events_total', 'Events written to streams')
}

async function open(state: BrokerState, streamRequest: StreamRequest): Promise<FastifyReply> {
  const { kind, caller, request, reply, lastEventId, assertAllowed } = streamRequest
  const { organizationId, personId } = caller
  const { topics, leases } = state
  if (state.isClosing) fail('UNAVAILABLE', { retryAfterSeconds: 2 })
  const lease = { organizationId, personId, stream: kind.stream, id: newId() }
  if (!(await leases.take(lease))) {
    fail('TOO_MANY_STREAMS', {
      limit: limits.streamsPerPerson,
      retryAfterSeconds: limits.streamHeartbeatSeconds,
    })
  }
  const entered: Topic[] = []
  try {
    for (const name of topicsOf(kind, organizationId)) entered.push(await topics.enter(name))
    const isResuming = lastEventId !== undefined && lastEventId !== ''
    const start = isResuming ? startAt(lastEventId, await headsOf(entered)) : undefined
    if (state.isClosing) fail('UNAVAILABLE', { retryAfterSeconds: 2 })
    // nothing is awaited until the subscriber is in its topics: without a cursor, a stream starts at the
    // positions of the topics
    const seqs = start?.seqs ?? entered.map(({ seq }) => seq)
    const cursor = seqs.join(cursorSeparator)
    const receiver = beginReceiver(
      request,
      reply,
      openingText(cursor, personId, now().toISOString(), start?.reason),
    )
    const subscriber: Subscriber = {
      kind,
      receiver,
      caller,
      subscriptions: [],
      lease,
      checks: 0,
      assertAllowed,
    }
    for (const seq of seqs)
      subscriber.subscriptions.push({ subscriber, startSeq: seq, seq, sentSeq: seq, isLive: !start })
    subscribe(state, entered, subscriber)
    return reply
  } catch (error) {
    for (const topic of entered) topics.leave(topic)
    leases.release(lease)
    throw error
  }
}

/** The topics that a kind of stream reads: the organization, a stream that all organizations share, or both. */
function topicsOf({ stream, carries = [stream] }: StreamKind, organizationId: string): Set<string> {
  return new Set(carries.map(name => topicOfStream(name, organizationId)))
}

function headsOf(topics: readonly Topic[]) {
  return Promise.all(topics.map(async ({ db }) => (await db.first(headOf)) ?? { seq: 0, oldest: 1 }))
}

/** Adds a subscriber to its topics until its connection closes. */
function subscribe(state: BrokerState, entered: readonly Topic[], subscriber: Subscriber): void {
  const { byOrganization, topicContext, leases, topics, wheel } = state
  const inTopics = entered.map((topic, index) => ({ topic, subscription: subscriber.subscriptions[index]! }))
  for (const { topic, subscription } of inTopics) topic.subscriptions.add(subscription)
  const removeFromOrganization = byOrganization.add(subscriber)
  const removeFromWheel = wheel.add(subscriber)
  subscriber.receiver.onClose(() => {
    removeFromWheel()
    removeFromOrganization()
    for (const { topic, subscription } of inTopics) {
      topic.subscriptions.delete(subscription)
      topics.leave(topic)
    }
    leases.release(subscriber.lease)
  })
  // an access change that arrived while the stream was being opened did not reach it
  void recheckAccess(state, subscriber)
  for (const { topic, subscription } of inTopics) {
    if (subscription.isLive) continue
    replay(topic, subscription, topicContext).catch(error => {
      topicContext.onError(error)
      closeStream(subscriber.receiver)
    })
  }
}

async function close(state: BrokerState): Promise<void> {
  state.isClosing = true
  state.wheel.stop()
  state.topics.stop()
  await Promise.all(
    [...state.byOrganization.all].map(({ receiver }) => {
      const closed = new Promise<void>(resolve => receiver.onClose(resolve))
      closeStream(receiver)
      return closed
    }),
  )
  await state.leases.released()
}
