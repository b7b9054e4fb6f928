import { monotonicMs } from '#platform/clock.ts'
import type { Endpoint, EndpointQueue } from '../queues/endpoint-queue.ts'
import { initialConcurrency } from '../queues/request-limit.ts'
import { type DeliverySigner, type DeliverySigners, signingKey, standardSigningKey } from '../sending/sign.ts'
import { cancelAllDue, type EndpointSettings, selectEndpoints } from './endpoint-settings.sql.ts'
import type { Loader } from './loader.ts'

const endpointReuseMs = 500
/** Endpoints of idle queues are not read. */
const busyMs = 5_000

/** Refreshes endpoints that were not read for a while (DLV-20): URL, secrets and whether they are paused. */
export async function readEndpoints(loader: Loader): Promise<void> {
  const { database, queues } = loader
  const now = monotonicMs()
  const outdated = queues.all().filter(queue => isOutdated(queue, now))
  if (outdated.length === 0) return
  const rows = await database.crossTenant.rows(selectEndpoints, {
    organizationIds: outdated.map(({ organizationId }) => organizationId),
    applicationIds: outdated.map(({ applicationId }) => applicationId),
  })
  const byId = new Map(rows.map(row => [row.application_id, row]))
  for (const queue of outdated) {
    if (!queues.includes(queue)) continue
    queue.endpointReadAt = now
    const { applicationId, shard } = queue
    const settings = byId.get(applicationId)
    if (settings) applySettings(loader, queue, settings)
    else {
      queues.drop(queue)
      await database.crossTenant.rows(cancelAllDue, { shard, applicationId })
    }
  }
}

function isOutdated(
  { deliveries, endpointReadAt, lastUsedAt, progress }: EndpointQueue,
  now: number,
): boolean {
  const isBusy = deliveries.size > 0 || !progress.isComplete || now - lastUsedAt < busyMs
  return isBusy && now - endpointReadAt > endpointReuseMs
}

function applySettings(loader: Loader, queue: EndpointQueue, settings: EndpointSettings): void {
  const { deliveries, endpoint: previous, requests } = queue
  queue.isEndpointStale = false
  if (deliveries.isOrdered !== settings.is_ordered) {
    queue.dropWaiting()
    deliveries.setOrdered(settings.is_ordered)
  }
  const endpoint = endpointOf(loader, settings, previous)
  if (!endpoint) {
    if (previous) queue.dropWaiting()
    // it starts again with one request at a time
    requests.concurrency = 1
  } else if (previous && previous.client !== endpoint.client) requests.concurrency = initialConcurrency
  if (previous && previous.client !== endpoint?.client) previous.client.close()
  queue.endpoint = endpoint
  loader.queues.wake(queue)
}

/** The endpoint of settings. Reuses what did not change. Undefined if nothing may be sent, or nothing can be signed. */
function endpointOf(
  { http, log, reveal }: Pick<Loader, 'http' | 'log' | 'reveal'>,
  settings: EndpointSettings,
  previous: Endpoint | undefined,
): Endpoint | undefined {
  const { has_standard_headers, is_failing, is_open, max_per_second, scopes, secrets } = settings
  if (!is_open) return undefined
  const fingerprint = JSON.stringify([settings.url, max_per_second, scopes, secrets, has_standard_headers])
  if (previous?.fingerprint === fingerprint) return { ...previous, isFailing: is_failing }
  const url = URL.parse(settings.url)
  const signers = signersOf(settings, reveal, log)
  if (!signers || !url) return undefined
  const client = previous?.url.origin === url.origin ? previous.client : http.open(url.origin)
  const path = `${url.pathname}${url.search}`
  return {
    url,
    path,
    client,
    signers,
    scopes: new Set(scopes),
    maxPerSecond: max_per_second,
    isFailing: is_failing,
    fingerprint,
  }
}

function signersOf(
  { application_id: applicationId, has_standard_headers, secrets }: EndpointSettings,
  reveal: Loader['reveal'],
  log: Loader['log'],
): DeliverySigners | undefined {
  function signerOf(state: string): DeliverySigner | undefined {
    const stored = secrets.find(secret => secret.state === state)
    if (!stored) return undefined
    const secret = reveal(stored.sealed)
    const standardKey = has_standard_headers ? standardSigningKey(secret) : undefined
    return { id: stored.id, key: signingKey(secret), standardKey }
  }
  try {
    const current = signerOf('CURRENT')
    return current && { current, next: signerOf('PREPARED') }
  } catch (error) {
    log.warn({ err: error, applicationId }, 'the signing secret of a webhook cannot be decrypted')
    return undefined
  }
}
