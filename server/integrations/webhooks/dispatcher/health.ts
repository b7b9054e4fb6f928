import { holdWebhook } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { pathAt } from '#contract/operation.ts'
import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { type HealthRow, noteHealth } from '../endpoint/endpoint.sql.ts'
import { freshHealth, type Health, type Lane } from './lane.ts'
import type { Outcome } from './outcome.ts'

const successEveryMs = 10_000
/** In the audit log it stands as what a person would have done. */
const holding = `${holdWebhook.method} ${pathAt('session', holdWebhook)}`

/** Counts what an attempt says of its endpoint. */
export function noteAttempt(lane: Lane, outcome: Outcome, status: number | null, isEnd: boolean): void {
  const { health } = lane
  if (outcome === 'DELIVERED') {
    health.hasDelivered = true
    health.isGone = false
    health.failedAttempts = 0
    health.failedDeliveries = 0
    return
  }
  health.failedAttempts++
  if (isEnd) health.failedDeliveries++
  if (status === 410) health.isGone = true
}

function hasNews({ endpoint, health }: Lane, at: number): boolean {
  if (health.failedAttempts > 0) return true
  return health.hasDelivered && (endpoint?.isFailing === true || at - health.notedAt > successEveryMs)
}

/** What could not be written counts on, unless a success came meanwhile. */
function putBack({ health }: Lane, before: Health): void {
  health.notedAt = before.notedAt
  if (health.hasDelivered) return
  health.hasDelivered = before.hasDelivered
  health.failedAttempts += before.failedAttempts
  health.failedDeliveries += before.failedDeliveries
  health.isGone ||= before.isGone
}

/**
 * Writes the health of the endpoints that have news, in one statement. One whose last deliveries all failed, over a
 * time that is long enough, is held: what comes is kept for it and nothing is sent until somebody resumes it.
 */
export async function noteHealths(
  database: Database,
  lanes: Iterable<Lane>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const at = monotonicMs()
  const told = [...lanes].filter(lane => hasNews(lane, at))
  if (told.length === 0) return
  const rows = told.map(({ organizationId, applicationId, health }): HealthRow => {
    const { hasDelivered, failedAttempts, failedDeliveries, isGone } = health
    const counts = { hasDelivered, failedAttempts, failedDeliveries, isGone }
    return { organizationId, applicationId, ...counts, auditId: newId() }
  })
  // what comes while it is written counts for the next time
  const taken = told.map(lane => lane.health)
  for (const lane of told) lane.health = freshHealth(at)
  const { webhookHoldDeliveries, webhookHoldMinutes } = limits
  const noted = await database.wide
    .rows(noteHealth, JSON.stringify(rows), webhookHoldDeliveries, webhookHoldMinutes, holding)
    .catch(error => {
      for (const [place, lane] of told.entries()) putBack(lane, taken[place]!)
      throw error
    })
  for (const { applicationId, isHeld } of noted) {
    const lane = told.find(one => one.applicationId === applicationId)
    if (isHeld && lane?.endpoint) {
      lane.readAt = 0
      log.warn({ applicationId }, 'a webhook is held: nothing arrives there')
    }
  }
}
