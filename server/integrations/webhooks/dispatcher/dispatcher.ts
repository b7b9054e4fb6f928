import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#contract/limits.ts'
import { type HttpClientOptions, openHttpClient } from '#platform/adapters/http-client/post.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { noRecipients, type RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { openWakeUpSignal } from '#platform/events/wake-up-signal.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import type { Traces } from '#platform/traces.ts'
import { firstAttempt, retryAt, type WrittenDelivery } from '../due-delivery.ts'
import { type Leases, openLeases } from '../shards/leases.ts'
import type { AttemptEnd, EndedAttempt } from './attempt.ts'
import { idlePollMs } from './loading/due-row.sql.ts'
import { readEndpoints } from './loading/endpoints.ts'
import { discoverQueues, type Loader, load } from './loading/loader.ts'
import { EndpointQueues } from './queues/endpoint-queues.ts'
import { AttemptResults } from './results/attempt-results.ts'
import { writeHealth } from './results/endpoint-health.ts'
import { openIsolatedSending } from './sending/isolated-sending.ts'
import { openRecipientChecker } from './sending/recipient-checks.ts'
import { type Sender, send } from './sending/send.ts'

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
  onRecorded?: ((end: Pick<AttemptEnd, 'outcome' | 'final'>) => void) | undefined
  /** Concurrent requests of this process. */
  maxInFlight?: number
  leaseMs?: number
  /** How long a lost wake-up signal may delay a delivery. Without a queue, a minute after the last delivery, it is `idlePollMs`. */
  pollMs?: number
}

const maxUnrecordedResults = 4_000
const maxLoadedPerQueue = 512
const endpointReuseMs = 1_000
const retryAfterErrorMs = 250
const healthIntervalMs = 1_000
/** Requests that time out are recorded before a dispatcher closes. */
const closeMs = limits.webhookTimeoutSeconds * 1000 + 500

/**
 * Opens the dispatcher. Any number of processes may run it: each sends for its own share of the shards. Headers,
 * outcomes and waits follow DLV-2, DLV-6 and DLV-7. docs/architecture/webhook-deliveries.md explains its parts.
 */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const dispatcher = new WebhookDispatcher(options)
  return {
    offer: deliveries => dispatcher.offer(deliveries),
    wake: applicationIds => dispatcher.wake(applicationIds),
    close: withinMs => dispatcher.close(withinMs),
  }
}

class WebhookDispatcher {
  readonly #options: DispatcherOptions
  readonly #pollMs: number
  readonly #leases: Leases
  readonly #queues: EndpointQueues
  readonly #loader: Loader
  readonly #sender: Sender
  readonly #results: AttemptResults
  readonly #wakeUpSignal = openWakeUpSignal()
  readonly #running: Promise<void>
  #discoverAt = 0
  #healthAt = 0
  #isClosing = false

  constructor(options: DispatcherOptions) {
    const { database, log, maxInFlight = 1_000, leaseMs = 6_000, pollMs = 250 } = options
    const owner = newId()
    this.#options = options
    this.#pollMs = pollMs
    this.#queues = new EndpointQueues({
      maxInFlight,
      maySend: () => this.#maySend(),
      send: (...taken) => send(this.#sender, ...taken),
    })
    this.#results = new AttemptResults({
      database,
      owner,
      log,
      onRecorded: (attempt, isOurs) => this.#onRecorded(attempt, isOurs),
      onFlushed: () => this.#continue(),
    })
    this.#leases = openLeases({
      database,
      owner,
      log,
      leaseMs,
      onGained: () => this.#discover(),
      onLost: shards => this.#dropQueues(shards),
      isIdle: shard => !this.#results.isAnyPendingOf(shard) && !this.#sender.inFlightByShard.has(shard),
    })
    this.#loader = {
      database,
      queues: this.#queues,
      http: openHttpClient({
        connectMs: limits.webhookConnectSeconds * 1000,
        timeoutMs: limits.webhookTimeoutSeconds * 1000,
        readBytes: limits.webhookAnswerReadBytes,
        storedBytes: limits.webhookAnswerBytes,
        ...options.web,
      }),
      log,
      shards: this.#leases.shards,
      reveal: options.reveal,
      recorded: undefined,
    }
    this.#sender = {
      log,
      traces: options.traces,
      headerPrefix: options.headerPrefix,
      queues: this.#queues,
      results: this.#results,
      leases: this.#leases,
      isolatedSending: openIsolatedSending(database, owner),
      mayReceive: openRecipientChecker({ database, recipients: options.recipients ?? noRecipients, log }),
      inFlightByShard: new Map(),
      onQueueLow: this.#wakeUpSignal.ring,
    }
    this.#running = this.#run()
  }

  offer(deliveries: readonly WrittenDelivery[]): string[] {
    const now = monotonicMs()
    const others = new Set<string>()
    for (const delivery of deliveries) {
      if (this.#isClosing || this.#leases.epochOf(delivery.shard) === undefined)
        others.add(delivery.applicationId)
      else this.#queue(delivery, now)
    }
    this.#continue()
    return [...others]
  }

  wake(applicationIds: readonly string[] | undefined): void {
    const owned = applicationIds?.filter(id => this.#leases.epochOf(this.#leases.shardOf(id)) !== undefined)
    if (owned?.length === 0) return
    const queues = owned?.map(id => this.#queues.find(id)) ?? [undefined]
    for (const queue of queues) {
      if (!queue) continue
      queue.progress.isComplete = false
      queue.endpointReadAt = 0
    }
    if (queues.includes(undefined)) this.#discoverAt = 0
    this.#wakeUpSignal.ring()
  }

  async close(withinMs = closeMs): Promise<void> {
    const { inFlightByShard } = this.#sender
    this.#isClosing = true
    this.#wakeUpSignal.stop()
    await this.#running
    const until = monotonicMs() + withinMs
    while (inFlightByShard.size > 0 && monotonicMs() < until) await sleep(10)
    const flushMs = Math.max(1_000, until - monotonicMs())
    await Promise.race([this.#results.flushed(), sleep(flushMs, undefined, { ref: false })])
    this.#results.stop()
    this.#queues.stop()
    for (const queue of this.#queues.all()) this.#queues.drop(queue)
    await this.#leases.close()
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      try {
        if (this.#leases.areValid()) await this.#poll()
        else await this.#wakeUpSignal.wait(this.#pollMs)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'could not read due webhook deliveries')
        if (!this.#isClosing) await this.#wakeUpSignal.rest(retryAfterErrorMs)
      }
    }
  }

  async #poll(): Promise<void> {
    const now = monotonicMs()
    if (now >= this.#discoverAt) {
      this.#discoverAt = now + this.#pollMs
      this.#queues.markHanging()
      await discoverQueues(this.#loader)
      // a gained shard or a new delivery may have asked for another look meanwhile
      if (this.#discoverAt > 0 && this.#queues.all().length === 0) this.#discoverAt = now + idlePollMs
    }
    if (now >= this.#healthAt) {
      this.#healthAt = now + healthIntervalMs
      await writeHealth(this.#options.database, this.#queues.all(), this.#options.log)
    }
    await readEndpoints(this.#loader)
    this.#queues.pump()
    const hasLoaded = await load(this.#loader)
    this.#queues.pump()
    if (!hasLoaded) await this.#wakeUpSignal.wait(Math.max(1, this.#discoverAt - monotonicMs()))
  }

  #maySend(): boolean {
    return !this.#isClosing && this.#leases.areValid() && this.#results.pending() < maxUnrecordedResults
  }

  #continue(): void {
    this.#queues.pump()
    this.#wakeUpSignal.ring()
  }

  #discover(): void {
    this.#discoverAt = 0
    this.#wakeUpSignal.ring()
  }

  #dropQueues(shards: readonly number[]): void {
    for (const queue of this.#queues.all()) if (shards.includes(queue.shard)) this.#queues.drop(queue)
  }

  /** Queues a delivery that was just written, if it may follow those in memory; otherwise it is read. */
  #queue({ range, ...content }: WrittenDelivery, now: number): void {
    const queue = this.#queues.open({
      organizationId: content.organizationId,
      applicationId: content.applicationId,
      shard: content.shard,
    })
    // an endpoint that was not read for a while may have changed
    if (now - queue.endpointReadAt >= endpointReuseMs) {
      queue.isEndpointStale = true
      queue.endpointReadAt = 0
    }
    const { deliveries, endpoint, progress } = queue
    // the next delivery of an ordered endpoint is always read: another process may have written an earlier one
    const isNext = !deliveries.isOrdered && progress.takesNewDeliveries && deliveries.size < maxLoadedPerQueue
    if (isNext && endpoint) this.#queues.add(queue, { ...content, due: firstAttempt(range, now) })
    else progress.isComplete = false
  }

  /** Continues after an attempt was recorded, or refused because another process owns the shard. Queues the retry. */
  #onRecorded({ delivery, end, endedAt, queue }: EndedAttempt, isOurs: boolean): void {
    const { waitMs } = end
    if (isOurs) this.#options.onRecorded?.(end)
    this.#loader.recorded?.add(delivery.deliveryId)
    if (!this.#queues.includes(queue)) return
    queue.deliveries.remove(delivery.deliveryId)
    if (isOurs && waitMs !== null && queue.deliveries.size < maxLoadedPerQueue) {
      this.#queues.add(queue, { ...delivery, due: retryAt(delivery.due, endedAt + waitMs) })
      return
    }
    if (!queue.deliveries.isOrdered) return
    // the delivery is still due, or another process has newer state: the loaded deliveries may not be the next ones
    if (!isOurs || waitMs !== null) queue.dropWaiting()
    this.#queues.wake(queue)
  }
}
