import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { RateLimitExceeded, type RateLimitState, rateLimitPolicy } from '#platform/http/rate-limit-headers.ts'
import { secondsPerReport, takeReports } from './intake.sql.ts'
import type { ReportLimit } from './report-limit.ts'

/** Reports that a process takes from the shared allowance of a key at a time. */
const portionSize = 100
const maxKeys = 10_000
/** The name of the limit in the RateLimit headers. */
const limitName = 'error-reports'

/** `remainingElsewhere` is the allowance that was left in the database after the last portion. */
type KeyAllowance = {
  left: number
  remainingElsewhere: number
  emptyUntilMs: number
  pendingTake: Promise<void> | undefined
}

export type ReportAllowance = {
  /**
   * Takes one report from the allowance of the key, usually without a query, and returns the state of the limit. Throws
   * RateLimitExceeded when the allowance is used up, and does not query again before it can be restored. Undefined
   * without a limit.
   */
  take(organizationId: string, keyId: string): Promise<RateLimitState> | RateLimitState | undefined
}

/**
 * Limits the reports of a key per hour with a burst; the rest is restored evenly, so that new errors get through during an
 * error storm. The limit is exact over all processes: each takes portions from the database and gives out no more.
 */
export function createReportAllowance(database: Database, limit: ReportLimit): ReportAllowance {
  const allowances = new Map<string, KeyAllowance>()

  const policy = rateLimitPolicy(limitName, limit.perHour, 3600)

  function takeLocal(allowance: KeyAllowance): RateLimitState {
    if (allowance.left === 0) {
      const waitMs = Math.max(1, allowance.emptyUntilMs - monotonicMs())
      throw new RateLimitExceeded(limitName, limit.perHour, 3600, Math.ceil(waitMs / 1000))
    }
    allowance.left--
    const remaining = allowance.left + allowance.remainingElsewhere
    const resetSeconds = Math.ceil(Math.max(1, (limit.burst - remaining) * secondsPerReport(limit)))
    return { name: limitName, policy, remaining, resetSeconds }
  }

  async function takePortion(organizationId: string, keyId: string, allowance: KeyAllowance): Promise<void> {
    try {
      const { taken, remaining, waitSeconds } = await takeReports(
        database.of(organizationId),
        keyId,
        portionSize,
        limit,
      )
      allowance.left += taken
      allowance.remainingElsewhere = remaining
      if (taken === 0) allowance.emptyUntilMs = monotonicMs() + waitSeconds * 1000
    } finally {
      allowance.pendingTake = undefined
    }
  }

  return {
    take(organizationId, keyId) {
      if (limit.perHour === 0) return undefined
      const allowance = allowances.get(keyId) ?? {
        left: 0,
        remainingElsewhere: 0,
        emptyUntilMs: 0,
        pendingTake: undefined,
      }
      if (!allowances.has(keyId)) {
        // cleared portions stay taken in the database, so the limit is never exceeded
        if (allowances.size >= maxKeys) allowances.clear()
        allowances.set(keyId, allowance)
      }
      if (allowance.left > 0 || allowance.emptyUntilMs > monotonicMs()) return takeLocal(allowance)
      return wait(allowance)

      async function wait(allowance: KeyAllowance): Promise<RateLimitState> {
        while (allowance.left === 0 && allowance.emptyUntilMs <= monotonicMs()) {
          allowance.pendingTake ??= takePortion(organizationId, keyId, allowance)
          await allowance.pendingTake
        }
        return takeLocal(allowance)
      }
    },
  }
}
