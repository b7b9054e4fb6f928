import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#contract/limits.ts'
import { type HttpClientOptions, openHttpClient } from '#platform/adapters/http-client/post.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { noRecipients, type RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { openWakeUpSignal, type WakeUpSignal } from '#platform/events/wake-up-signal.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import type { Traces } from '#platform/traces.ts'
import type { WrittenDelivery } from '../fan-out/fan-out.ts'
import { type Leases, openLeases } from '../shards/leases.ts'
import { shardOf } from '../shards/shard.ts'
import { writeHealth } from './endpoint-health.ts'
import { dropWaiting } from './endpoint-queue.ts'
import { type EndpointQueues, openEndpointQueues } from './endpoint-queues.ts'
import { openIsolatedSending } from './isolated-sending.ts'
import { readEndpoints } from './loading/endpoints.ts'
import { discoverQueues, firstAttempt, type LoaderOptions, load } from './loading/loader.ts'
import { removeFromSequence } from './ordered-queue.ts'
import { openRecipientChecker } from './recipient-checks.ts'
import { type AttemptResult, type AttemptResults, openAttemptResults } from './results/attempt-results.ts'
import { type Sender, send } from './send.ts'

/** Sends deliveries to applications. */
export type Dispatcher = {
  /**
   * Takes deliveries that this process has just written and queues those whose shards it owns. Returns the applications
   * for which another process sends.
   */
  offer(deliveries: readonly WrittenDelivery[]): string[]
  /** Reports that deliveries of these applications (undefined: of any) are due, or that their endpoints changed. */
  wake(applicationIds: readonly string[] | undefined): void
  /** Finishes requests in flight, records their results and releases the shards. */
  close(withinMs?: number): Promise<void>
}

export type DispatcherOptions = {
  database: Database
  log: Pick<Log, 'info' | 'warn' | 'error'>
  reveal(sealed: string): string
  /** Decides who may receive events that not all applications may see; by default nobody. */
  recipients?: RecipientsResolver
  web?: Partial<HttpClientOptions>
  headerPrefix?: string
  /** Undefined: attempts are not traced. */
  traces?: Traces | undefined
  /** Called for each result that was recorded. */
  onRecorded?: ((result: Pick<AttemptResult, 'outcome' | 'final'>) => void) | undefined
  /** Concurrent requests of this process. */
  maxInFlight?: number
  leaseMs?: number
  /** How long a lost wake-up signal may delay a delivery. */
  pollMs?: number
}

type DispatcherState = Sender &
  Pick<DispatcherOptions, 'database'> & {
    log: DispatcherOptions['log']
    wakeUpSignal: WakeUpSignal
    loader: LoaderOptions
    pollMs: number
    discoverAt: number
    healthAt: number
    isClosing: boolean
  }

const maxUnrecordedResults = 4_000
const maxLoadedPerQueue = 512
const endpointReuseMs = 1_000
const retryAfterErrorMs = 250
const healthIntervalMs = 1_000

/**
 * Opens the dispatcher. Any number of processes may run it: each sends for its own share of the shards. Headers,
 * outcomes and waits follow DLV-2, DLV-6 and DLV-7.
 */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const state = assemble(options)
  const running = run(state)
  return {
    offer: deliveries => offer(state, deliveries),
    wake: applicationIds => wake(state, applicationIds),
    close: (withinMs = limits.webhookTimeoutSeconds * 1000 + 500) => close(state, running, withinMs),
  }
}

function assemble(options: DispatcherOptions): DispatcherState {
  const { database, log, reveal, maxInFlight = 1_000, leaseMs = 6_000, pollMs = 250, headerPrefix } = options
  const mayReceive = openRecipientChecker({ database, recipients: options.recipients ?? noRecipients, log })
  const owner = newId()
  const wakeUpSignal = openWakeUpSignal()
  const inFlightByShard = new Map<number, number>()
  const web = openHttpClient({
    connectMs: limits.webhookConnectSeconds * 1000,
    timeoutMs: limits.webhookTimeoutSeconds * 1000,
    readBytes: limits.webhookAnswerReadBytes,
    storedBytes: limits.webhookAnswerBytes,
    ...options.web,
  })
  const queues: EndpointQueues = openEndpointQueues({
    maxInFlight,
    maySend: () => !state.isClosing && leases.areValid() && results.pending() < maxUnrecordedResults,
    send: (queue, delivery, request) => send(state, queue, delivery, request),
  })
  const results: AttemptResults = openAttemptResults({
    database,
    owner,
    log,
    onRecorded(result, isOurs) {
      if (isOurs) options.onRecorded?.(result)
      onRecorded(state, result, isOurs)
    },
    onFlushed() {
      queues.pump()
      wakeUpSignal.ring()
    },
  })
  const leases: Leases = openLeases({
    database,
    owner,
    log,
    leaseMs,
    onGained() {
      state.discoverAt = 0
      wakeUpSignal.ring()
    },
    onLost(shards) {
      for (const queue of [...queues.all()]) if (shards.includes(queue.shard)) queues.drop(queue)
    },
    isIdle: shard => results.pendingOf(shard) === 0 && !inFlightByShard.has(shard),
  })
  const loader = { database, queues, log, reveal, recorded: undefined, shards: leases.shards }
  const state: DispatcherState = {
    database,
    log,
    wakeUpSignal,
    http: web,
    headerPrefix,
    traces: options.traces,
    queues,
    results,
    leases,
    mayReceive,
    inFlightByShard,
    loader,
    pollMs,
    isolatedSending: openIsolatedSending(database, owner),
    discoverAt: 0,
    healthAt: 0,
    isClosing: false,
    onQueueLow: wakeUpSignal.ring,
  }
  return state
}

/** Continues after an attempt was recorded, or refused because another process owns the shard. Queues the retry. */
function onRecorded(
  { queues, loader }: DispatcherState,
  { queue, delivery, endedAt, waitMs }: AttemptResult,
  isOurs: boolean,
): void {
  loader.recorded?.add(delivery.deliveryId)
  if (queues.find(queue.applicationId) !== queue) return
  if (isOurs && waitMs !== null && queue.loaded.size <= maxLoadedPerQueue) {
    const next = { range: null, attempt: delivery.attempt + 1, retries: delivery.retries + 1 }
    queues.addRetry(queue, { ...delivery, ...next, dueAt: endedAt + waitMs, isSent: false })
    return
  }
  queue.loaded.delete(delivery.deliveryId)
  if (!queue.isOrdered) return
  removeFromSequence(queue, delivery)
  // the delivery is still due, or another process has newer state: the loaded deliveries may not be the next ones
  if (!isOurs || waitMs !== null) dropWaiting(queue)
  queues.wake(queue)
}

async function run(state: DispatcherState): Promise<void> {
  const { wakeUpSignal, leases, log, pollMs } = state
  while (!state.isClosing) {
    try {
      if (leases.areValid()) await poll(state)
      else await wakeUpSignal.wait(pollMs)
    } catch (error) {
      log.warn({ err: error }, 'could not read due webhook deliveries')
      if (!state.isClosing) await wakeUpSignal.rest(retryAfterErrorMs)
    }
  }
}

async function poll(state: DispatcherState): Promise<void> {
  const { wakeUpSignal, database, queues, loader, log, pollMs } = state
  const at = monotonicMs()
  if (at >= state.discoverAt) {
    state.discoverAt = at + pollMs
    queues.markHanging()
    await discoverQueues(loader)
  }
  if (at >= state.healthAt) {
    state.healthAt = at + healthIntervalMs
    await writeHealth(database, queues.all(), log)
  }
  await readEndpoints(loader)
  queues.pump()
  const hasLoaded = await load(loader)
  queues.pump()
  if (!hasLoaded) await wakeUpSignal.wait(Math.max(1, state.discoverAt - monotonicMs()))
}

function offer(state: DispatcherState, deliveries: readonly WrittenDelivery[]): string[] {
  const { wakeUpSignal, queues, leases } = state
  const at = monotonicMs()
  const others = new Set<string>()
  for (const { organizationId, applicationId, shard, deliveryId, event, about, body, range } of deliveries) {
    if (state.isClosing || leases.epochOf(shard) === undefined) {
      others.add(applicationId)
      continue
    }
    const queue = queues.open({ organizationId, applicationId, shard })
    // an endpoint that was not read for a while may have changed
    if (at - queue.endpointReadAt >= endpointReuseMs)
      Object.assign(queue, { isEndpointStale: true, endpointReadAt: 0 })
    // the next delivery of an ordered endpoint is always read: another process may have written an earlier one
    const isNext =
      !queue.isOrdered && queue.isFullyLoaded && !queue.isLoading && queue.loaded.size < maxLoadedPerQueue
    if (isNext && queue.endpoint) {
      queues.add(queue, {
        organizationId,
        applicationId,
        shard,
        deliveryId,
        event,
        about,
        body,
        range,
        ...firstAttempt,
        dueAt: at,
      })
    } else {
      queue.isFullyLoaded = false
    }
  }
  queues.pump()
  wakeUpSignal.ring()
  return [...others]
}

function wake(state: DispatcherState, applicationIds: readonly string[] | undefined): void {
  const { wakeUpSignal, queues, leases } = state
  const owned = applicationIds?.filter(id => leases.epochOf(shardOf(id)) !== undefined)
  if (owned?.length === 0) return
  for (const id of owned ?? []) {
    const queue = queues.find(id)
    if (queue) Object.assign(queue, { isFullyLoaded: false, endpointReadAt: 0 })
  }
  if (owned?.some(id => !queues.find(id)) ?? true) state.discoverAt = 0
  wakeUpSignal.ring()
}

async function close(state: DispatcherState, running: Promise<void>, withinMs: number): Promise<void> {
  const { wakeUpSignal, queues, leases, results, inFlightByShard } = state
  state.isClosing = true
  wakeUpSignal.stop()
  await running
  const until = monotonicMs() + withinMs
  while (inFlightByShard.size > 0 && monotonicMs() < until) await sleep(10)
  const flushMs = Math.max(1_000, until - monotonicMs())
  await Promise.race([results.flushed(), sleep(flushMs, undefined, { ref: false })])
  results.stop()
  queues.stop()
  for (const queue of [...queues.all()]) queues.drop(queue)
  await leases.close()
}
