import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import type { Log } from '#platform/log.ts'
import type { Range } from '../../fresh.ts'
import { type Lane, start, waitingIn } from '../lane.ts'
import type { Lanes } from '../lanes.ts'
import * as store from './loading.sql.ts'

export type LoaderOptions = {
  database: Database
  lanes: Lanes
  log: Pick<Log, 'warn'>
  shards(): number[]
  /** The secret of an endpoint as it signs. Throws when it cannot be read. */
  reveal(sealed: string): string
  /** While what is due is being read: what was recorded meanwhile, which is not due any more, whatever was read. */
  recorded: Set<string> | undefined
}

/** However busy a lane is, what came in late is looked for so often. */
const rereadMs = 2_000
/** A lane without work is forgotten, and its connections with it. */
const idleMs = 60_000
/** What a notice is that has had no attempt. */
export const first = { attempt: 1, tries: 0, trigger: 'AUTOMATIC', isSent: false } as const
/** What one statement reads, and what a process has in hand, however many endpoints have work. */
const lanesPerLoad = 500
const mostInHand = 20_000

/** Finds the applications that have something due and opens their lanes. */
export async function discover({ database, lanes, shards }: LoaderOptions): Promise<void> {
  const at = monotonicMs()
  const owned = shards()
  if (owned.length === 0) return
  const found = await database.wide.rows(store.withWork, owned)
  const still = new Set(shards())
  for (const place of found) {
    if (!still.has(place.shard)) continue
    const lane = lanes.open(place)
    lane.usedAt = at
    const isIdle = lane.isComplete && lane.inHand.size === 0
    if (isIdle || at - lane.rereadAt > rereadMs)
      Object.assign(lane, { isDoubted: true, cursor: start, rereadAt: at })
  }
  for (const lane of [...lanes.all()]) {
    if (lane.inHand.size === 0 && at - lane.usedAt > idleMs) lanes.drop(lane)
  }
}

function mostOf(lane: Lane): number {
  return Math.max(32, 4 * lane.width)
}
function wants(lane: Lane): boolean {
  const isHungry = !lane.isComplete || lane.isDoubted
  return lane.endpoint !== undefined && isHungry && waitingIn(lane) * 2 < mostOf(lane)
}

/** Which lanes are asked for more and for how much: those first that were not asked for longest. */
export function portions(lanes: readonly Lane[]): { lane: Lane; most: number }[] {
  const room = mostInHand - lanes.reduce((sum, { inHand }) => sum + inHand.size, 0)
  const hungry = lanes.filter(wants)
  if (hungry.length > lanesPerLoad) hungry.sort((a, b) => a.loadedAt - b.loadedAt)
  const chosen = hungry.slice(0, Math.min(lanesPerLoad, Math.max(0, room)))
  const share = Math.floor(room / chosen.length)
  return chosen.map(lane => ({ lane, most: Math.min(mostOf(lane), share) }))
}

/** Takes what is due next in hand, for all lanes that have room, in two statements. True when there was something. */
export async function load(options: LoaderOptions): Promise<boolean> {
  const { database, lanes } = options
  const asked = portions([...lanes.all()])
  if (asked.length === 0) return false
  const hungry = asked.map(({ lane }) => lane)
  // what is said to be due from here on makes it incomplete again
  for (const lane of hungry)
    Object.assign(lane, { isLoading: !lane.isComplete, isComplete: true, isDoubted: false })
  options.recorded = new Set()
  try {
    const ordinary = asked.filter(({ lane }) => !lane.isOrdered)
    const ordered = asked.filter(({ lane }) => lane.isOrdered)
    const rounds = ordered.map(({ lane }) => lane.round)
    const [[due, fresh], inOrder] = await Promise.all([
      read(database, ordinary),
      readOrdered(database, ordered),
    ])
    const at = monotonicMs()
    for (const lane of hungry) lane.loadedAt = at
    const dueOf = Map.groupBy(due, ({ applicationId }) => applicationId)
    const freshOf = Map.groupBy(fresh, ({ applicationId }) => applicationId)
    for (const { lane, most } of ordinary) {
      if (lanes.find(lane.applicationId) !== lane || !lane.endpoint) continue
      takeDue(options, lane, most, dueOf.get(lane.applicationId) ?? [], at)
      takeFresh(options, lane, most, freshOf.get(lane.applicationId) ?? [], at)
    }
    const inOrderOf = Map.groupBy(inOrder, ({ applicationId }) => applicationId)
    for (const [place, { lane, most }] of ordered.entries()) {
      if (lanes.find(lane.applicationId) !== lane || !lane.endpoint) continue
      // what was let go meanwhile comes before what was read
      if (lane.round === rounds[place])
        takeOrdered(options, lane, most, inOrderOf.get(lane.applicationId) ?? [], at)
    }
    const ofRanges = inOrder.filter(isOfRange)
    const alone = inOrder.filter(row => !isOfRange(row))
    await forget(options, [...due, ...alone], [...fresh, ...ofRanges])
    return due.length > 0 || fresh.length > 0 || inOrder.length > 0
  } catch (error) {
    for (const lane of hungry) lane.isComplete = false
    throw error
  } finally {
    for (const lane of hungry) lane.isLoading = false
    options.recorded = undefined
  }
}

function read(
  { wide }: Database,
  asked: readonly { lane: Lane; most: number }[],
): Promise<[store.DueRow[], store.FreshRow[]]> {
  if (asked.length === 0) return Promise.resolve([[], []])
  const lanes = asked.map(({ lane }) => lane)
  const cursors = lanes.map(({ cursor }) => cursor)
  const places = [lanes.map(({ shard }) => shard), lanes.map(({ applicationId }) => applicationId)] as const
  const dueAfter = [cursors.map(({ dueAt }) => dueAt), cursors.map(({ deliveryId }) => deliveryId)] as const
  const freshAfter = [
    cursors.map(({ rangeFrom }) => rangeFrom),
    cursors.map(({ freshId }) => freshId),
  ] as const
  const most = asked.map(one => one.most)
  // further on there is only what came after what is in hand
  const inHand = lanes.flatMap(lane => (lane.cursor === start ? [...lane.inHand.keys()] : []))
  return Promise.all([
    wide.rows(store.nextDue, ...places, ...dueAfter, most, inHand),
    wide.rows(store.nextFresh, ...places, ...freshAfter, most, inHand),
  ])
}

function takeDue(
  { lanes, recorded }: LoaderOptions,
  lane: Lane,
  most: number,
  rows: readonly store.DueRow[],
  at: number,
): void {
  const last = rows.at(-1)
  if (last) lane.cursor = { ...lane.cursor, dueAt: last.dueAt, deliveryId: last.deliveryId }
  if (rows.length === most) lane.isComplete = false
  for (const { dueInMs, dueAt: _, body, event, about, ...same } of rows) {
    if (body === null || event === null || about === null || recorded?.has(same.deliveryId)) continue
    lanes.add(lane, { ...same, range: null, body, event, about, dueAt: at + dueInMs, isSent: false })
  }
}

function takeFresh(
  { lanes, recorded }: LoaderOptions,
  lane: Lane,
  most: number,
  rows: readonly store.FreshRow[],
  at: number,
): void {
  const last = rows.at(-1)
  if (last)
    lane.cursor = { ...lane.cursor, rangeFrom: last.firstId, freshId: last.deliveryId ?? last.firstId }
  if (rows.length === most) lane.isComplete = false
  let range: Range | undefined
  for (const { firstId, lastId, deliveryId, ...same } of rows) {
    if (deliveryId === null || recorded?.has(deliveryId)) continue
    if (range?.firstId !== firstId) range = { firstId, lastId, inHand: 0 }
    lanes.add(lane, { ...same, deliveryId, range, ...first, dueAt: at })
  }
}

function readOrdered(
  { wide }: Database,
  asked: readonly { lane: Lane; most: number }[],
): Promise<store.OrderedRow[]> {
  if (asked.length === 0) return Promise.resolve([])
  const lanes = asked.map(({ lane }) => lane)
  return wide.rows(
    store.nextOrdered,
    lanes.map(({ shard }) => shard),
    lanes.map(({ applicationId }) => applicationId),
    asked.map(({ most }) => most),
    lanes.flatMap(({ inHand }) => [...inHand.keys()]),
  )
}

function takeOrdered(
  { lanes, recorded }: LoaderOptions,
  lane: Lane,
  most: number,
  rows: readonly store.OrderedRow[],
  at: number,
): void {
  if (rows.length >= most) lane.isComplete = false
  const ranges = new Map<string, Range>()
  for (const { firstId, lastId, deliveryId, dueInMs, body, event, about, ...same } of rows) {
    if (deliveryId === null || recorded?.has(deliveryId)) continue
    if (body === null || event === null || about === null) continue
    const range =
      firstId !== null && lastId !== null ? (ranges.get(firstId) ?? { firstId, lastId, inHand: 0 }) : null
    if (range) ranges.set(range.firstId, range)
    lanes.add(lane, { ...same, deliveryId, body, event, about, range, dueAt: at + dueInMs, isSent: false })
  }
}

type RangeRow = Pick<store.FreshRow, 'applicationId' | 'shard' | 'firstId' | 'lastId' | 'deliveryId'>

function isOfRange(row: store.OrderedRow): row is store.OrderedRow & { firstId: string; lastId: string } {
  return row.firstId !== null
}

/** What cannot be sent because its delivery is gone, and ranges of which nothing is left, are not read again. */
async function forget(
  { database: { wide }, lanes }: LoaderOptions,
  due: readonly Pick<store.OrderedRow, 'applicationId' | 'deliveryId' | 'body'>[],
  fresh: readonly RangeRow[],
): Promise<void> {
  const gone = due.filter(({ body }) => body === null)
  const empty = fresh.filter(row => row.deliveryId === null && !isInHand(row, lanes.find(row.applicationId)))
  const applicationsOf = (rows: readonly { applicationId: string }[]) =>
    rows.map(({ applicationId }) => applicationId)
  if (gone.length > 0)
    await wide.rows(
      store.forgetDue,
      applicationsOf(gone),
      gone.flatMap(({ deliveryId }) => deliveryId ?? []),
    )
  if (empty.length > 0)
    await wide.rows(
      store.forgetFresh,
      applicationsOf(empty),
      empty.map(({ shard }) => shard),
      empty.map(({ firstId }) => firstId),
    )
}

function isInHand({ firstId, lastId }: RangeRow, lane: Lane | undefined): boolean {
  for (const id of lane?.inHand.keys() ?? []) if (id >= firstId && id <= lastId) return true
  return false
}
