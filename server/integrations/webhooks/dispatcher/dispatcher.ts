import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#contract/limits.ts'
import { type HttpClientOptions, openHttpClient } from '#platform/adapters/http-client/post.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { noRecipients, type RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { openWakeUpSignal, type WakeUpSignal } from '#platform/events/wake-up-signal.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import type { NewNotice } from '../fan-out/fan-out.ts'
import { shardOf } from '../shard.ts'
import { type Leases, openLeases } from '../shards/leases.ts'
import { openCare } from './care.ts'
import { noteHealths } from './health.ts'
import { letGo } from './lane.ts'
import { type Lanes, openLanes } from './lanes.ts'
import { readEndpoints } from './loading/endpoints.ts'
import { discover, first, type LoaderOptions, load } from './loading/loader.ts'
import { openReached } from './reached.ts'
import { openResults, type Result, type Results } from './results/results.ts'
import { type Sender, send } from './send.ts'
import { leaveSequence } from './sequence.ts'

/** Sends notices to applications. */
export type Dispatcher = {
  /**
   * Notices that this process has just written: taken in hand at once when their shard is ours. Returns the
   * applications for which another process sends.
   */
  offer(notices: readonly NewNotice[]): string[]
  /** Something is due of these applications, or of some; or their endpoints have changed. */
  wake(applicationIds: readonly string[] | undefined): void
  /** Ends what is under way, records it and gives its shards up. */
  close(withinMs?: number): Promise<void>
}

export type DispatcherOptions = {
  database: Database
  log: Pick<Log, 'info' | 'warn' | 'error'>
  reveal(sealed: string): string
  /** Who may be told of what not all may look into; nobody. */
  reach?: RecipientsResolver
  web?: Partial<HttpClientOptions>
  headerPrefix?: string
  /** Requests under way at a time in this process. */
  cap?: number
  leaseMs?: number
  /** How long a lost hint may delay a notice. */
  pollMs?: number
}

type Inside = Sender &
  Pick<DispatcherOptions, 'database'> & {
    log: DispatcherOptions['log']
    bell: WakeUpSignal
    loader: LoaderOptions
    pollMs: number
    discoverAt: number
    healthAt: number
    isClosing: boolean
  }

const mostUnrecorded = 4_000
const mostInHand = 512
const knownMs = 1_000
const troubleMs = 250
const healthMs = 1_000

/**
 * Opens the dispatcher. Any number of processes may run it: each sends for its share of the shards, and nobody else
 * does. Headers, outcomes and waits are those of DLV-2, DLV-6 and DLV-7.
 */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const inside = assemble(options)
  const running = run(inside)
  return {
    offer: notices => offer(inside, notices),
    wake: applicationIds => wake(inside, applicationIds),
    close: (withinMs = limits.webhookTimeoutSeconds * 1000 + 500) => close(inside, running, withinMs),
  }
}

function assemble(options: DispatcherOptions): Inside {
  const { database, log, reveal, cap = 1_000, leaseMs = 6_000, pollMs = 250, headerPrefix } = options
  const reached = openReached({ database, reach: options.reach ?? noRecipients, log })
  const owner = newId()
  const bell = openWakeUpSignal()
  const underWay = new Map<number, number>()
  const web = openHttpClient({
    connectMs: limits.webhookConnectSeconds * 1000,
    timeoutMs: limits.webhookTimeoutSeconds * 1000,
    readBytes: limits.webhookAnswerReadBytes,
    storedBytes: limits.webhookAnswerBytes,
    ...options.web,
  })
  const lanes: Lanes = openLanes({
    cap,
    mayWork: () => !inside.isClosing && leases.areGood() && results.pending() < mostUnrecorded,
    send: (lane, item, request) => send(inside, lane, item, request),
  })
  const results: Results = openResults({
    database,
    owner,
    log,
    onSettled: (result, isOurs) => settled(inside, result, isOurs),
    onFlushed() {
      lanes.pump()
      bell.ring()
    },
  })
  const leases: Leases = openLeases({
    database,
    owner,
    log,
    leaseMs,
    onGained() {
      inside.discoverAt = 0
      bell.ring()
    },
    onLost(shards) {
      for (const lane of [...lanes.all()]) if (shards.includes(lane.shard)) lanes.drop(lane)
    },
    isQuiet: shard => results.pendingOf(shard) === 0 && !underWay.has(shard),
  })
  const loader = { database, lanes, log, reveal, recorded: undefined, shards: leases.shards }
  const inside: Inside = {
    database,
    log,
    bell,
    web,
    headerPrefix,
    lanes,
    results,
    leases,
    reached,
    underWay,
    loader,
    pollMs,
    care: openCare(database, owner),
    discoverAt: 0,
    healthAt: 0,
    isClosing: false,
    onHungry: bell.ring,
  }
  return inside
}

/** An attempt is recorded, or was not ours to record. What is to be tried again keeps its place, on time. */
function settled({ lanes, loader }: Inside, { lane, item, endedAt, waitMs }: Result, isOurs: boolean): void {
  loader.recorded?.add(item.deliveryId)
  if (lanes.find(lane.applicationId) !== lane) return
  if (isOurs && waitMs !== null && lane.inHand.size <= mostInHand) {
    const next = { range: null, attempt: item.attempt + 1, tries: item.tries + 1 }
    lanes.addAgain(lane, { ...item, ...next, dueAt: endedAt + waitMs, isSent: false })
    return
  }
  lane.inHand.delete(item.deliveryId)
  if (!lane.isOrdered) return
  leaveSequence(lane, item)
  // it is still due, or somebody else knows more: what is in hand may not be what comes next
  if (!isOurs || waitMs !== null) letGo(lane)
  lanes.wake(lane)
}

async function run(inside: Inside): Promise<void> {
  const { bell, leases, log, pollMs } = inside
  while (!inside.isClosing) {
    try {
      if (leases.areGood()) await look(inside)
      else await bell.wait(pollMs)
    } catch (error) {
      log.warn({ err: error }, 'the dispatcher could not read what is due')
      if (!inside.isClosing) await bell.rest(troubleMs)
    }
  }
}

async function look(inside: Inside): Promise<void> {
  const { bell, database, lanes, loader, log, pollMs } = inside
  const at = monotonicMs()
  if (at >= inside.discoverAt) {
    inside.discoverAt = at + pollMs
    lanes.watch()
    await discover(loader)
  }
  if (at >= inside.healthAt) {
    inside.healthAt = at + healthMs
    await noteHealths(database, lanes.all(), log)
  }
  await readEndpoints(loader)
  lanes.pump()
  const found = await load(loader)
  lanes.pump()
  if (!found) await bell.wait(Math.max(1, inside.discoverAt - monotonicMs()))
}

function offer(inside: Inside, notices: readonly NewNotice[]): string[] {
  const { bell, lanes, leases } = inside
  const at = monotonicMs()
  const others = new Set<string>()
  for (const { organizationId, applicationId, shard, deliveryId, event, about, body, range } of notices) {
    if (inside.isClosing || leases.epochOf(shard) === undefined) {
      others.add(applicationId)
      continue
    }
    const lane = lanes.open({ organizationId, applicationId, shard })
    // one that was not looked at for a while may be another by now
    if (at - lane.readAt >= knownMs) Object.assign(lane, { isStale: true, readAt: 0 })
    // what an ordered endpoint gets next is always read: another process may have written something before it
    const isNext = !lane.isOrdered && lane.isComplete && !lane.isLoading && lane.inHand.size < mostInHand
    if (isNext && lane.endpoint) {
      lanes.add(lane, {
        organizationId,
        applicationId,
        shard,
        deliveryId,
        event,
        about,
        body,
        range,
        ...first,
        dueAt: at,
      })
    } else {
      lane.isComplete = false
    }
  }
  lanes.pump()
  bell.ring()
  return [...others]
}

function wake(inside: Inside, applicationIds: readonly string[] | undefined): void {
  const { bell, lanes, leases } = inside
  const ours = applicationIds?.filter(id => leases.epochOf(shardOf(id)) !== undefined)
  if (ours?.length === 0) return
  for (const id of ours ?? []) {
    const lane = lanes.find(id)
    if (lane) Object.assign(lane, { isComplete: false, readAt: 0 })
  }
  if (ours?.some(id => !lanes.find(id)) ?? true) inside.discoverAt = 0
  bell.ring()
}

async function close(inside: Inside, running: Promise<void>, withinMs: number): Promise<void> {
  const { bell, lanes, leases, results, underWay } = inside
  inside.isClosing = true
  bell.stop()
  await running
  const until = monotonicMs() + withinMs
  while (underWay.size > 0 && monotonicMs() < until) await sleep(10)
  const patienceMs = Math.max(1_000, until - monotonicMs())
  await Promise.race([results.flushed(), sleep(patienceMs, undefined, { ref: false })])
  results.stop()
  lanes.stop()
  for (const lane of [...lanes.all()]) lanes.drop(lane)
  await leases.close()
}
