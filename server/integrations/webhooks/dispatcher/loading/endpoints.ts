import { monotonicMs } from '#platform/clock.ts'
import { type Endpoint, firstWidth, type Lane, letGo } from '../lane.ts'
import { setOrdered } from '../sequence.ts'
import { type Signers, signingKey, standardSigningKey } from '../sign.ts'
import type { LoaderOptions } from './loader.ts'
import * as store from './loading.sql.ts'

const endpointKeptMs = 500
/** Endpoints of lanes that have nothing to do are read when they have. */
const busyMs = 5_000

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
  const { isFailing, isOpen, maxPerSecond, scopes } = row
  lane.isStale = false
  const mark = JSON.stringify([row.url, maxPerSecond, scopes, row.secrets, row.hasStandardHeaders])
  if (lane.isOrdered !== row.isOrdered) {
    letGo(lane)
    setOrdered(lane, row.isOrdered)
  }
  if (isOpen && lane.endpoint?.mark === mark) {
    lane.endpoint.isFailing = isFailing
    lanes.wake(lane)
    return
  }
  const signers = isOpen ? signersOf(row, reveal, log) : undefined
  const url = URL.parse(row.url)
  if (!signers || !url) {
    if (lane.endpoint) letGo(lane)
    lane.endpoint = undefined
    // where it leads may be another when it is open again
    lane.way?.close()
    lane.way = undefined
    // it begins again with one at a time
    lane.width = 1
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
  { applicationId, hasStandardHeaders, secrets }: store.EndpointRow,
  reveal: LoaderOptions['reveal'],
  log: LoaderOptions['log'],
): Signers | undefined {
  try {
    const of = (state: string) => {
      const found = secrets.find(secret => secret.state === state)
      if (!found) return undefined
      const secret = reveal(found.sealed)
      const standardKey = hasStandardHeaders ? standardSigningKey(secret) : undefined
      return { id: found.id, key: signingKey(secret), standardKey }
    }
    const current = of('CURRENT')
    return current && { current, next: of('PREPARED') }
  } catch (error) {
    log.warn({ err: error, applicationId }, 'the secret of a webhook cannot be read')
    return undefined
  }
}
