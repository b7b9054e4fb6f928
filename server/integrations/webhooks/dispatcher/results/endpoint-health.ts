import { holdWebhook } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { noteEmitted } from '#platform/events/emit.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { required } from '#platform/required.ts'
import { type HealthRow, updateHealth } from '../../endpoint/endpoint.sql.ts'
import type { EndpointQueue } from '../queues/endpoint-queue.ts'
import { emptyCounts, restoreCounts } from './attempt-counts.ts'

const successIntervalMs = 10_000
/** The audit log records an automatic pause as this operation. */
const pauseOperation = `${holdWebhook.method} ${pathAt('session', holdWebhook)}`

function hasChanges({ endpoint, counts }: EndpointQueue, at: number): boolean {
  if (counts.failedAttempts > 0) return true
  return counts.hasDelivered && (endpoint?.isFailing === true || at - counts.writtenAt > successIntervalMs)
}

/**
 * Writes the health of changed endpoints in one statement. Pauses an endpoint whose last deliveries all failed for long
 * enough: its deliveries wait until someone resumes it. The dispatcher calls it once a second instead of with each result, because
 * counts that could not be written are added to later ones.
 */
export async function writeHealth(
  database: Database,
  queues: readonly EndpointQueue[],
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const at = monotonicMs()
  const changed = queues.filter(queue => hasChanges(queue, at))
  if (changed.length === 0) return
  const rows = changed.map(({ organizationId, applicationId, counts }): HealthRow => {
    const { hasDelivered, failedAttempts, failedDeliveries, isGone } = counts
    const reported = { hasDelivered, failedAttempts, failedDeliveries, isGone }
    return { organizationId, applicationId, ...reported, auditId: newId(), eventId: newId() }
  })
  // results that arrive during the write count for the next one
  const taken = changed.map(queue => queue.counts)
  for (const queue of changed) queue.counts = emptyCounts(at)
  const { webhookHoldDeliveries, webhookHoldMinutes } = limits
  const updated = await database.crossTenant
    .rows(updateHealth, {
      rows: JSON.stringify(rows),
      holdDeliveries: webhookHoldDeliveries,
      holdMinutes: webhookHoldMinutes,
      operation: pauseOperation,
    })
    .catch(error => {
      for (const [index, queue] of changed.entries())
        restoreCounts(queue.counts, required(taken[index], 'the counts of an endpoint'))
      throw error
    })
  for (const { application_id: applicationId, is_paused, event } of updated) {
    if (event) noteEmitted(event)
    const queue = changed.find(one => one.applicationId === applicationId)
    if (is_paused && queue?.endpoint) {
      queue.endpointReadAt = 0
      log.warn({ applicationId }, 'paused a webhook because its deliveries keep failing')
    }
  }
}
