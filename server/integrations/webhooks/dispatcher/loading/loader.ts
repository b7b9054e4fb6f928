import type { HttpClient } from '#platform/adapters/http-client/post.ts'
import { monotonicMs } from '#platform/clock.ts'
import { columnsOf } from '#platform/data/columns.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import { required } from '#platform/required.ts'
import { type DueDelivery, firstAttempt, type NewRange } from '../../due-delivery.ts'
import type { EndpointQueue } from '../queues/endpoint-queue.ts'
import type { EndpointQueues } from '../queues/endpoint-queues.ts'
import {
  type DueRow,
  deleteDue,
  deleteEmptyRanges,
  nextOrdered,
  nextScheduled,
  nextUnattempted,
  type ScheduledRow,
  selectWithWork,
} from './due-row.sql.ts'
import { cursorStart, type LoadCursor } from './load-progress.ts'

/** The parts of the dispatcher that loading uses. */
export type Loader = {
  database: Database
  queues: EndpointQueues
  http: HttpClient
  log: Pick<Log, 'warn'>
  shards(): number[]
  /** Decrypts the signing secret of an endpoint. Throws if that fails. */
  reveal(sealed: string): string
  /** Deliveries that were recorded during the current read: their rows are outdated. */
  recorded: Set<string> | undefined
}

/** A queue for which deliveries are read, and how many at most. */
type Portion = { queue: EndpointQueue; limit: number }

/** A queue without work is dropped after this time, with its connections. */
const idleQueueMs = 60_000
/** Limits of one statement and of the deliveries in memory, however many endpoints have work. */
const queuesPerLoad = 500
const maxLoaded = 20_000

/** Finds applications with due deliveries and opens their queues. Drops idle queues. */
export async function discoverQueues({ database, queues, shards }: Loader): Promise<void> {
  const now = monotonicMs()
  const owned = shards()
  if (owned.length === 0) return
  const withWork = await database.crossTenant.rows(selectWithWork, { shards: owned })
  const still = new Set(shards())
  for (const { application_id, organization_key, shard } of withWork) {
    if (!still.has(shard)) continue
    const queue = queues.open({ organizationId: organization_key, applicationId: application_id, shard })
    queue.lastUsedAt = now
    queue.progress.recheck(now, queue.progress.isComplete && queue.deliveries.size === 0)
  }
  for (const queue of queues.all()) {
    if (queue.deliveries.size === 0 && now - queue.lastUsedAt > idleQueueMs) queues.drop(queue)
  }
}

/** Loads the next due deliveries of all queues with capacity, in two statements. True if there were any. */
export async function load(loader: Loader): Promise<boolean> {
  const portions = loadPortions(loader.queues.all())
  if (portions.length === 0) return false
  for (const { queue } of portions) queue.progress.begin()
  loader.recorded = new Set()
  try {
    const rows = await readDue(loader.database, portions)
    const now = monotonicMs()
    const rowsOf = Map.groupBy(rows, ({ application_id }) => application_id)
    for (const portion of portions)
      addRows(loader, portion, rowsOf.get(portion.queue.applicationId) ?? [], now)
    await deleteStale(loader, rows)
    return rows.length > 0
  } catch (error) {
    for (const { queue } of portions) queue.progress.isComplete = false
    throw error
  } finally {
    for (const { queue } of portions) queue.progress.end()
    loader.recorded = undefined
  }
}

/** Chooses the queues to load and their limits. Queues that waited longest come first. */
export function loadPortions(queues: readonly EndpointQueue[]): Portion[] {
  const capacity = maxLoaded - queues.reduce((sum, { deliveries }) => sum + deliveries.size, 0)
  const now = monotonicMs()
  const loading = queues.filter(queue => needsLoading(queue, now))
  if (loading.length > queuesPerLoad)
    loading.sort((a, b) => a.progress.lastLoadedAt - b.progress.lastLoadedAt)
  const chosen = loading.slice(0, Math.min(queuesPerLoad, Math.max(0, capacity)))
  const share = Math.floor(capacity / chosen.length)
  return chosen.map(queue => ({ queue, limit: Math.min(targetSize(queue), share) }))
}

function needsLoading(queue: EndpointQueue, now: number): boolean {
  const { deliveries, endpoint, progress } = queue
  return endpoint !== undefined && progress.isNeeded && deliveries.dueCount(now) * 2 < targetSize(queue)
}
function targetSize({ requests }: EndpointQueue): number {
  return Math.max(32, 4 * requests.concurrency)
}

/** Reads the next due deliveries: those of ordered endpoints in one statement, the others from one table each. */
async function readDue({ crossTenant }: Database, portions: readonly Portion[]): Promise<DueRow[]> {
  const [ordered = [], unordered = []] = [true, false].map(isOrdered =>
    portions.filter(({ queue }) => queue.deliveries.isOrdered === isOrdered),
  )
  const cursors = unordered.map(({ queue }) => queue.progress.cursor)
  // behind the start, the cursor already excludes loaded deliveries
  const fromStart = unordered.filter((_, index) => cursors[index] === cursorStart)
  const unorderedArgs = { ...queueArgs(unordered), loadedIds: loadedIds(fromStart) }
  const reads: Promise<DueRow[]>[] = []
  if (unordered.length > 0)
    reads.push(
      crossTenant.rows(nextScheduled, {
        ...unorderedArgs,
        ...columnsOf(cursors, { dueAfter: 'dueAt', idsAfter: 'deliveryId' }),
      }),
      crossTenant.rows(nextUnattempted, {
        ...unorderedArgs,
        ...columnsOf(cursors, { rangesFrom: 'rangeFirstId', idsAfter: 'lastId' }),
      }),
    )
  if (ordered.length > 0)
    reads.push(crossTenant.rows(nextOrdered, { ...queueArgs(ordered), loadedIds: loadedIds(ordered) }))
  return (await Promise.all(reads)).flat()
}

function queueArgs(portions: readonly Portion[]) {
  const queues = portions.map(({ queue }) => queue)
  return {
    ...columnsOf(queues, { shards: 'shard', applicationIds: 'applicationId' }),
    most: portions.map(({ limit }) => limit),
  }
}
function loadedIds(portions: readonly Portion[]): string[] {
  return portions.flatMap(({ queue }) => queue.deliveries.ids())
}

/** Adds the deliveries that were read for a queue, and advances its cursor. */
function addRows(
  { queues, recorded }: Loader,
  { queue, limit }: Portion,
  rows: readonly DueRow[],
  now: number,
): void {
  const { deliveries, progress } = queue
  progress.lastLoadedAt = now
  if (!queues.includes(queue) || !queue.endpoint || progress.wasRestarted) return
  const scheduled = rows.filter(isScheduled)
  const unattempted = rows.filter(isOfRange)
  const isLimited = deliveries.isOrdered
    ? rows.length >= limit
    : scheduled.length === limit || unattempted.length === limit
  if (isLimited) progress.isComplete = false
  if (!deliveries.isOrdered) {
    progress.cursor = cursorAfter(progress.cursor, scheduled.at(-1), unattempted.at(-1))
  }
  const ranges = new Map<string, NewRange>()
  for (const row of rows) {
    const delivery = deliveryOf(row, ranges, now)
    if (delivery && !recorded?.has(delivery.deliveryId)) queues.add(queue, delivery)
  }
}

function cursorAfter(
  cursor: LoadCursor,
  scheduled: ScheduledRow | undefined,
  unattempted: RangeRow | undefined,
): LoadCursor {
  if (!scheduled && !unattempted) return cursor
  return {
    dueAt: scheduled?.due_at ?? cursor.dueAt,
    deliveryId: scheduled?.delivery_id ?? cursor.deliveryId,
    rangeFirstId: unattempted?.first_id ?? cursor.rangeFirstId,
    lastId: unattempted ? (unattempted.delivery_id ?? unattempted.first_id) : cursor.lastId,
  }
}

/** The delivery of a row; undefined for an empty range, and if the delivery no longer exists. */
function deliveryOf(row: DueRow, ranges: Map<string, NewRange>, now: number): DueDelivery | undefined {
  const { organization_key: organizationId, application_id: applicationId, delivery_id: deliveryId } = row
  const { shard, event, about, body } = row
  if (deliveryId === null || event === null || about === null || body === null) return undefined
  const content = { organizationId, applicationId, shard, deliveryId, event, about, body }
  if (isOfRange(row)) return { ...content, due: firstAttempt(rangeOf(row, ranges), now) }
  const { attempt, retries, trigger, due_in_ms } = row
  return { ...content, due: { range: null, attempt, retries, trigger, at: now + due_in_ms } }
}

type RangeRow = DueRow & { first_id: string; last_id: string }

function isOfRange(row: DueRow): row is RangeRow {
  return 'first_id' in row && row.first_id !== null
}
function isScheduled(row: DueRow): row is ScheduledRow {
  return 'due_at' in row
}

/** The range of a row: one object for all its deliveries, which counts them. */
function rangeOf({ first_id: firstId, last_id: lastId }: RangeRow, ranges: Map<string, NewRange>): NewRange {
  const range = ranges.get(firstId) ?? { firstId, lastId, loadedCount: 0 }
  ranges.set(firstId, range)
  return range
}

/** Deletes rows of webhook_due whose delivery no longer exists, and empty ranges. */
async function deleteStale(
  { database: { crossTenant }, queues }: Loader,
  rows: readonly DueRow[],
): Promise<void> {
  const gone = rows.filter(row => !isOfRange(row) && row.body === null)
  const empty = rows
    .filter(isOfRange)
    .filter(row => row.delivery_id === null && !isAnyLoaded(row, queues.find(row.application_id)))
  if (gone.length > 0)
    await crossTenant.rows(deleteDue, {
      applicationIds: gone.map(({ application_id }) => application_id),
      deliveryIds: gone.map(({ delivery_id }) => required(delivery_id, 'the delivery of a due row')),
    })
  if (empty.length > 0)
    await crossTenant.rows(
      deleteEmptyRanges,
      columnsOf(empty, { applicationIds: 'application_id', shards: 'shard', firstIds: 'first_id' }),
    )
}

function isAnyLoaded({ first_id, last_id }: RangeRow, queue: EndpointQueue | undefined): boolean {
  return queue?.deliveries.ids().some(id => id >= first_id && id <= last_id) ?? false
}
