import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { RateLimitExceeded, type RateLimitState, rateLimitPolicy } from '#platform/http/rate-limit-headers.ts'
import { type ReportLimit, secondsPerReport, takeReports } from './intake.sql.ts'

/** How many reports of a key a process takes at a time to give out by itself. */
const portionSize = 100
const maxKeys = 10_000
/** The name of the limit in the RateLimit headers. */
const limitName = 'error-reports'

/** `elsewhere` was left for others when this process last took a portion. */
type KeyAllowance = {
  left: number
  remainingElsewhere: number
  emptyUntilMs: number
  pendingTake: Promise<void> | undefined
}

/** What each key may still report. */
export type ReportAllowance = {
  /**
   * Takes one report of the key, mostly without leaving the tick, and returns what is left. Throws QuotaExceeded when
   * there is none left, and does not ask the database again before there can be one. Undefined when there is no limit.
   */
  take(organizationId: string, keyId: string): Promise<RateLimitState> | RateLimitState | undefined
}

/**
 * So many reports in an hour, of which so many at once; the rest comes back evenly, so that a new error gets through
 * during a storm. Exact over all processes: each takes portions of what the database says is left, and none gives out
 * more than it took.
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
        // what is forgotten was taken: it is given out by nobody
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
