import { createSecretKey } from 'node:crypto'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/log.ts'
import { type Endpoint, firstWidth, type Lane, letGo, start, waitingIn } from './lane.ts'
import type { Lanes } from './lanes.ts'
import type { Signers } from './sign.ts'
import * as store from './store.ts'

export type LoaderOptions = {
  database: Database
  lanes: Lanes
  log: Pick<Log, 'warn'>
  shards(): number[]
  /** The secret of an endpoint as it signs. Throws when it cannot be read. */
  reveal(sealed: string): string
  /** What was recorded while what is due was being read: it is not due any more, whatever was read. */
  readonly recorded: Set<string>
}

const endpointKeptMs = 500
/** However busy a lane is, what came in late is looked for so often. */
const rereadMs = 2_000
/** A lane without work is forgotten, and its connections with it. */
const idleMs = 60_000
/** Endpoints of lanes that have nothing to do are read when they have. */
const busyMs = 5_000
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
    if (isIdle || at - lane.rereadAt > rereadMs) {
      Object.assign(lane, { isComplete: false, cursor: start, rereadAt: at })
    }
  }
  for (const lane of [...lanes.all()]) {
    if (lane.inHand.size === 0 && at - lane.usedAt > idleMs) lanes.drop(lane)
  }
}

/** Reads the endpoints of lanes that were not read for a while: their address, secrets and whether they are held. */
export async function readEndpoints(options: LoaderOptions): Promise<void> {
  const { database, lanes } = options
  const at = monotonicMs()
  const old = [...lanes.all()].filter(
    ({ inHand, isComplete, readAt, usedAt }) =>
      at - readAt > endpointKeptMs && (inHand.size > 0 || !isComplete || at - usedAt < busyMs),
  )
  if (old.length === 0) return
  const rows = await database.wide.rows(
    store.endpointsOf,
    old.map(({ organizationId }) => organizationId),
    old.map(({ applicationId }) => applicationId),
  )
  const byId = new Map(rows.map(row => [row.applicationId, row]))
  for (const lane of old) {
    if (lanes.find(lane.applicationId) !== lane) continue
    lane.readAt = at
    const row = byId.get(lane.applicationId)
    if (!row) {
      lanes.drop(lane)
      await database.wide.rows(store.forgetDueOf, lane.shard, lane.applicationId)
    } else {
      direct(lane, row, options)
    }
  }
}

function direct(lane: Lane, row: store.EndpointRow, { lanes, log, reveal }: LoaderOptions): void {
  const signers = row.isOpen ? signersOf(row, reveal, log) : undefined
  const url = URL.parse(row.url)
  if (!signers || !url) {
    if (lane.endpoint) letGo(lane)
    lane.endpoint = undefined
    // it begins again with one at a time
    lane.width = 1
    return
  }
  const { maxPerSecond, scopes, isFailing } = row
  const mark = JSON.stringify([row.url, maxPerSecond, scopes, row.secrets])
  if (lane.endpoint?.mark === mark) {
    lane.endpoint.isFailing = isFailing
    return
  }
  const endpoint: Endpoint = {
    url,
    path: `${url.pathname}${url.search}`,
    signers,
    scopes: new Set(scopes),
    maxPerSecond,
    isFailing,
    mark,
  }
  if (lane.endpoint && lane.endpoint.url.origin !== endpoint.url.origin) {
    lane.way?.close()
    lane.way = undefined
    lane.width = firstWidth
  }
  lane.endpoint = endpoint
  lanes.wake(lane)
}

function signersOf(
  { applicationId, secrets }: store.EndpointRow,
  reveal: LoaderOptions['reveal'],
  log: LoaderOptions['log'],
): Signers | undefined {
  try {
    const of = (state: string) => {
      const found = secrets.find(secret => secret.state === state)
      return found && { id: found.id, secret: createSecretKey(reveal(found.sealed), 'utf8') }
    }
    const current = of('CURRENT')
    return current && { current, next: of('PREPARED') }
  } catch (error) {
    log.warn({ err: error, applicationId }, 'the secret of a webhook cannot be read')
    return undefined
  }
}

function mostOf(lane: Lane): number {
  return Math.max(32, 4 * lane.width)
}
function wants(lane: Lane): boolean {
  return lane.endpoint !== undefined && !lane.isComplete && waitingIn(lane) * 2 < mostOf(lane)
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

/** Takes what is due next in hand, for all lanes that have room, in one statement. True when there was something. */
export async function load(options: LoaderOptions): Promise<boolean> {
  const { database, lanes, recorded } = options
  const asked = portions([...lanes.all()])
  if (asked.length === 0) return false
  const hungry = asked.map(({ lane }) => lane)
  // what is said to be due from here on makes it incomplete again
  for (const lane of hungry) Object.assign(lane, { isComplete: true, isLoading: true })
  recorded.clear()
  try {
    const rows = await readDue(database, asked)
    const at = monotonicMs()
    for (const lane of hungry) lane.loadedAt = at
    const read = Map.groupBy(rows, ({ applicationId }) => applicationId)
    const gone = asked.flatMap(({ lane, most }) =>
      takeIn(options, lane, most, read.get(lane.applicationId) ?? [], at),
    )
    if (gone.length > 0) {
      await database.wide.rows(
        store.forgetDue,
        gone.map(({ applicationId }) => applicationId),
        gone.map(({ deliveryId }) => deliveryId),
      )
    }
    return rows.length > 0
  } catch (error) {
    for (const lane of hungry) lane.isComplete = false
    throw error
  } finally {
    for (const lane of hungry) lane.isLoading = false
  }
}

function readDue(
  database: Database,
  asked: readonly { lane: Lane; most: number }[],
): Promise<store.DueRow[]> {
  return database.wide.rows(
    store.nextDue,
    asked.map(({ lane }) => lane.shard),
    asked.map(({ lane }) => lane.applicationId),
    asked.map(({ lane }) => lane.cursor.dueAt),
    asked.map(({ lane }) => lane.cursor.deliveryId),
    asked.map(({ most }) => most),
    // further on there is only what came after what is in hand
    asked.flatMap(({ lane }) => (lane.cursor === start ? [...lane.inHand] : [])),
  )
}

/** Takes what was read for a lane in hand. Returns what cannot be sent because its delivery is gone. */
function takeIn(
  { lanes, recorded }: LoaderOptions,
  lane: Lane,
  most: number,
  rows: readonly store.DueRow[],
  at: number,
): store.DueRow[] {
  if (lanes.find(lane.applicationId) !== lane || !lane.endpoint) return []
  const last = rows.at(-1)
  if (last) lane.cursor = { dueAt: last.dueAt, deliveryId: last.deliveryId }
  if (rows.length === most) lane.isComplete = false
  return rows.filter(({ dueInMs, dueAt: _, body, event, about, ...same }) => {
    if (body === null || event === null || about === null) return true
    if (!recorded.has(same.deliveryId)) lanes.add(lane, { ...same, body, event, about, dueAt: at + dueInMs })
    return false
  })
}
