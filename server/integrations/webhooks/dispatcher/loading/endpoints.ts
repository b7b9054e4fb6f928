import { monotonicMs } from '#platform/clock.ts'
import { dropWaiting, type Endpoint, type EndpointQueue, initialConcurrency } from '../endpoint-queue.ts'
import { setOrdered } from '../ordered-queue.ts'
import { type DeliverySigners, signingKey, standardSigningKey } from '../sign.ts'
import * as store from './due-delivery.sql.ts'
import type { LoaderOptions } from './loader.ts'

const endpointReuseMs = 500
/** Endpoints of idle queues are not read. */
const busyMs = 5_000

/** Refreshes endpoints that were not read for a while: URL, secrets and whether they are paused. */
export async function readEndpoints(options: LoaderOptions): Promise<void> {
  const { database, queues } = options
  const at = monotonicMs()
  const outdated = [...queues.all()].filter(
    ({ loaded, isFullyLoaded, endpointReadAt, lastUsedAt }) =>
      at - endpointReadAt > endpointReuseMs &&
      (loaded.size > 0 || !isFullyLoaded || at - lastUsedAt < busyMs),
  )
  if (outdated.length === 0) return
  const rows = await database.crossTenant.rows(store.selectEndpoints, {
    organizationIds: outdated.map(({ organizationId }) => organizationId),
    applicationIds: outdated.map(({ applicationId }) => applicationId),
  })
  const byId = new Map(rows.map(row => [row.applicationId, row]))
  for (const queue of outdated) {
    if (queues.find(queue.applicationId) !== queue) continue
    queue.endpointReadAt = at
    const row = byId.get(queue.applicationId)
    if (!row) {
      queues.drop(queue)
      await database.crossTenant.rows(store.cancelAllDue, {
        shard: queue.shard,
        applicationId: queue.applicationId,
      })
    } else {
      applyEndpoint(queue, row, options)
    }
  }
}

function applyEndpoint(
  queue: EndpointQueue,
  row: store.EndpointRow,
  { queues, log, reveal }: LoaderOptions,
): void {
  const { isFailing, isOpen, maxPerSecond, scopes } = row
  queue.isEndpointStale = false
  const fingerprint = JSON.stringify([row.url, maxPerSecond, scopes, row.secrets, row.hasStandardHeaders])
  if (queue.isOrdered !== row.isOrdered) {
    dropWaiting(queue)
    setOrdered(queue, row.isOrdered)
  }
  if (isOpen && queue.endpoint?.fingerprint === fingerprint) {
    queue.endpoint.isFailing = isFailing
    queues.wake(queue)
    return
  }
  const signers = isOpen ? signersOf(row, reveal, log) : undefined
  const url = URL.parse(row.url)
  if (!signers || !url) {
    if (queue.endpoint) dropWaiting(queue)
    queue.endpoint = undefined
    // the URL may have changed when the endpoint is active again
    queue.client?.close()
    queue.client = undefined
    // it starts again with one request at a time
    queue.concurrency = 1
    return
  }
  const endpoint: Endpoint = {
    url,
    path: `${url.pathname}${url.search}`,
    signers,
    scopes: new Set(scopes),
    maxPerSecond,
    isFailing,
    fingerprint,
  }
  if (queue.endpoint && queue.endpoint.url.origin !== endpoint.url.origin) {
    queue.client?.close()
    queue.client = undefined
    queue.concurrency = initialConcurrency
  }
  queue.endpoint = endpoint
  queues.wake(queue)
}

function signersOf(
  { applicationId, hasStandardHeaders, secrets }: store.EndpointRow,
  reveal: LoaderOptions['reveal'],
  log: LoaderOptions['log'],
): DeliverySigners | undefined {
  try {
    const of = (state: string) => {
      const stored = secrets.find(secret => secret.state === state)
      if (!stored) return undefined
      const secret = reveal(stored.sealed)
      const standardKey = hasStandardHeaders ? standardSigningKey(secret) : undefined
      return { id: stored.id, key: signingKey(secret), standardKey }
    }
    const current = of('CURRENT')
    return current && { current, next: of('PREPARED') }
  } catch (error) {
    log.warn({ err: error, applicationId }, 'the signing secret of a webhook cannot be decrypted')
    return undefined
  }
}
