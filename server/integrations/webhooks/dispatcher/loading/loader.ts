import { monotonicMs } from '#platform/clock.ts'
import { columnsOf } from '#platform/data/columns.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import type { NewRange } from '../../new-range.ts'
import { cursorStart, type EndpointQueue, waitingCount } from '../endpoint-queue.ts'
import type { EndpointQueues } from '../endpoint-queues.ts'
import * as store from './due-delivery.sql.ts'

export type LoaderOptions = {
  database: Database
  queues: EndpointQueues
  log: Pick<Log, 'warn'>
  shards(): number[]
  /** Decrypts the signing secret of an endpoint. Throws if that fails. */
  reveal(sealed: string): string
  /** Deliveries that were recorded during the current read: their rows are outdated. */
  recorded: Set<string> | undefined
}

/** How often a busy queue looks for late rows. */
const rereadMs = 2_000
/** A queue without work is dropped after this time, with its connections. */
const idleQueueMs = 60_000
/** The state of a delivery without an attempt. */
export const firstAttempt = { attempt: 1, retries: 0, trigger: 'AUTOMATIC', isSent: false } as const
/** Limits of one statement and of the deliveries in memory, however many endpoints have work. */
const queuesPerLoad = 500
const maxLoaded = 20_000

/** Finds applications with due deliveries and opens their queues. */
export async function discoverQueues({ database, queues, shards }: LoaderOptions): Promise<void> {
  const at = monotonicMs()
  const owned = shards()
  if (owned.length === 0) return
  const withWork = await database.crossTenant.rows(store.selectWithWork, { shards: owned })
  const still = new Set(shards())
  for (const index of withWork) {
    if (!still.has(index.shard)) continue
    const queue = queues.open(index)
    queue.lastUsedAt = at
    const isIdle = queue.isFullyLoaded && queue.loaded.size === 0
    if (isIdle || at - queue.lastRereadAt > rereadMs)
      Object.assign(queue, { needsRecheck: true, cursor: cursorStart, lastRereadAt: at })
  }
  for (const queue of [...queues.all()]) {
    if (queue.loaded.size === 0 && at - queue.lastUsedAt > idleQueueMs) queues.drop(queue)
  }
}

function targetSize(queue: EndpointQueue): number {
  return Math.max(32, 4 * queue.concurrency)
}
function needsLoading(queue: EndpointQueue): boolean {
  const hasMore = !queue.isFullyLoaded || queue.needsRecheck
  return queue.endpoint !== undefined && hasMore && waitingCount(queue) * 2 < targetSize(queue)
}

/** Chooses the queues to load and their limits. Queues that waited longest come first. */
export function loadPortions(queues: readonly EndpointQueue[]): { queue: EndpointQueue; limit: number }[] {
  const capacity = maxLoaded - queues.reduce((sum, { loaded: loadedIds }) => sum + loadedIds.size, 0)
  const loading = queues.filter(needsLoading)
  if (loading.length > queuesPerLoad) loading.sort((a, b) => a.lastLoadedAt - b.lastLoadedAt)
  const chosen = loading.slice(0, Math.min(queuesPerLoad, Math.max(0, capacity)))
  const share = Math.floor(capacity / chosen.length)
  return chosen.map(queue => ({ queue, limit: Math.min(targetSize(queue), share) }))
}

/** Loads the next due deliveries of all queues with capacity, in two statements. True if there were any. */
export async function load(options: LoaderOptions): Promise<boolean> {
  const { database, queues } = options
  const requested = loadPortions([...queues.all()])
  if (requested.length === 0) return false
  const loading = requested.map(({ queue }) => queue)
  // a wake-up from here on marks the queue as incomplete again
  for (const queue of loading)
    Object.assign(queue, { isLoading: !queue.isFullyLoaded, isFullyLoaded: true, needsRecheck: false })
  options.recorded = new Set()
  try {
    const ordinary = requested.filter(({ queue }) => !queue.isOrdered)
    const ordered = requested.filter(({ queue }) => queue.isOrdered)
    const rounds = ordered.map(({ queue }) => queue.generation)
    const [[due, unattempted], inOrder] = await Promise.all([
      readUnordered(database, ordinary),
      readOrdered(database, ordered),
    ])
    const at = monotonicMs()
    for (const queue of loading) queue.lastLoadedAt = at
    const dueOf = Map.groupBy(due, ({ applicationId }) => applicationId)
    const unattemptedOf = Map.groupBy(unattempted, ({ applicationId }) => applicationId)
    for (const { queue, limit } of ordinary) {
      if (queues.find(queue.applicationId) !== queue || !queue.endpoint) continue
      addDue(options, queue, limit, dueOf.get(queue.applicationId) ?? [], at)
      addUnattempted(options, queue, limit, unattemptedOf.get(queue.applicationId) ?? [], at)
    }
    const inOrderOf = Map.groupBy(inOrder, ({ applicationId }) => applicationId)
    for (const [index, { queue, limit }] of ordered.entries()) {
      if (queues.find(queue.applicationId) !== queue || !queue.endpoint) continue
      // deliveries that were dropped during the read precede the ones that were read
      if (queue.generation === rounds[index])
        addOrdered(options, queue, limit, inOrderOf.get(queue.applicationId) ?? [], at)
    }
    const ofRanges = inOrder.filter(isOfRange)
    const alone = inOrder.filter(row => !isOfRange(row))
    await deleteStale(options, [...due, ...alone], [...unattempted, ...ofRanges])
    return due.length > 0 || unattempted.length > 0 || inOrder.length > 0
  } catch (error) {
    for (const queue of loading) queue.isFullyLoaded = false
    throw error
  } finally {
    for (const queue of loading) queue.isLoading = false
    options.recorded = undefined
  }
}

function readUnordered(
  { crossTenant }: Database,
  requested: readonly { queue: EndpointQueue; limit: number }[],
): Promise<[store.DueDeliveryRow[], store.UnattemptedRow[]]> {
  if (requested.length === 0) return Promise.resolve([[], []])
  const queues = requested.map(({ queue }) => queue)
  const cursors = queues.map(({ cursor }) => cursor)
  const wanted = {
    ...columnsOf(queues, { shards: 'shard', applicationIds: 'applicationId' }),
    most: requested.map(({ limit }) => limit),
    // behind the start, the cursor already excludes loaded deliveries
    loadedIds: queues.flatMap(queue => (queue.cursor === cursorStart ? [...queue.loaded.keys()] : [])),
  }
  return Promise.all([
    crossTenant.rows(store.nextDue, {
      ...wanted,
      ...columnsOf(cursors, { dueAfter: 'dueAt', idsAfter: 'deliveryId' }),
    }),
    crossTenant.rows(store.nextUnattempted, {
      ...wanted,
      ...columnsOf(cursors, { rangesFrom: 'rangeFirstId', idsAfter: 'lastId' }),
    }),
  ])
}

function addDue(
  { queues, recorded }: LoaderOptions,
  queue: EndpointQueue,
  limit: number,
  rows: readonly store.DueDeliveryRow[],
  at: number,
): void {
  const last = rows.at(-1)
  if (last) queue.cursor = { ...queue.cursor, dueAt: last.dueAt, deliveryId: last.deliveryId }
  if (rows.length === limit) queue.isFullyLoaded = false
  for (const { dueInMs, dueAt: _, body, event, about, ...rest } of rows) {
    if (body === null || event === null || about === null || recorded?.has(rest.deliveryId)) continue
    queues.add(queue, { ...rest, range: null, body, event, about, dueAt: at + dueInMs, isSent: false })
  }
}

function addUnattempted(
  { queues, recorded }: LoaderOptions,
  queue: EndpointQueue,
  limit: number,
  rows: readonly store.UnattemptedRow[],
  at: number,
): void {
  const last = rows.at(-1)
  if (last)
    queue.cursor = { ...queue.cursor, rangeFirstId: last.firstId, lastId: last.deliveryId ?? last.firstId }
  if (rows.length === limit) queue.isFullyLoaded = false
  let range: NewRange | undefined
  for (const { firstId, lastId, deliveryId, ...rest } of rows) {
    if (deliveryId === null || recorded?.has(deliveryId)) continue
    if (range?.firstId !== firstId) range = { firstId, lastId, loadedCount: 0 }
    queues.add(queue, { ...rest, deliveryId, range, ...firstAttempt, dueAt: at })
  }
}

function readOrdered(
  { crossTenant }: Database,
  requested: readonly { queue: EndpointQueue; limit: number }[],
): Promise<store.OrderedRow[]> {
  if (requested.length === 0) return Promise.resolve([])
  const queues = requested.map(({ queue }) => queue)
  return crossTenant.rows(store.nextOrdered, {
    shards: queues.map(({ shard }) => shard),
    applicationIds: queues.map(({ applicationId }) => applicationId),
    most: requested.map(({ limit }) => limit),
    loadedIds: queues.flatMap(({ loaded }) => [...loaded.keys()]),
  })
}

function addOrdered(
  { queues, recorded }: LoaderOptions,
  queue: EndpointQueue,
  limit: number,
  rows: readonly store.OrderedRow[],
  at: number,
): void {
  if (rows.length >= limit) queue.isFullyLoaded = false
  const ranges = new Map<string, NewRange>()
  for (const { firstId, lastId, deliveryId, dueInMs, body, event, about, ...rest } of rows) {
    if (deliveryId === null || recorded?.has(deliveryId)) continue
    if (body === null || event === null || about === null) continue
    const range =
      firstId !== null && lastId !== null
        ? (ranges.get(firstId) ?? { firstId, lastId, loadedCount: 0 })
        : null
    if (range) ranges.set(range.firstId, range)
    queues.add(queue, { ...rest, deliveryId, body, event, about, range, dueAt: at + dueInMs, isSent: false })
  }
}

type RangeRow = Pick<store.UnattemptedRow, 'applicationId' | 'shard' | 'firstId' | 'lastId' | 'deliveryId'>

function isOfRange(row: store.OrderedRow): row is store.OrderedRow & { firstId: string; lastId: string } {
  return row.firstId !== null
}

/** Deletes due rows whose delivery no longer exists, and empty ranges. */
async function deleteStale(
  { database: { crossTenant }, queues }: LoaderOptions,
  due: readonly Pick<store.OrderedRow, 'applicationId' | 'deliveryId' | 'body'>[],
  unattempted: readonly RangeRow[],
): Promise<void> {
  const gone = due.filter(({ body }) => body === null)
  const empty = unattempted.filter(
    row => row.deliveryId === null && !isAnyLoaded(row, queues.find(row.applicationId)),
  )
  const applicationsOf = (rows: readonly { applicationId: string }[]) =>
    rows.map(({ applicationId }) => applicationId)
  if (gone.length > 0)
    await crossTenant.rows(store.deleteDue, {
      applicationIds: applicationsOf(gone),
      deliveryIds: gone.flatMap(({ deliveryId }) => deliveryId ?? []),
    })
  if (empty.length > 0)
    await crossTenant.rows(store.deleteEmptyRanges, {
      applicationIds: applicationsOf(empty),
      shards: empty.map(({ shard }) => shard),
      firstIds: empty.map(({ firstId }) => firstId),
    })
}

function isAnyLoaded({ firstId, lastId }: RangeRow, queue: EndpointQueue | undefined): boolean {
  for (const id of queue?.loaded.keys() ?? []) if (id >= firstId && id <= lastId) return true
  return false
}
