import { monotonicMs } from '#platform/clock.ts'
import type { Database } from '#platform/data/database.ts'
import { RateLimitExceeded, type RateLimitState, rateLimitPolicy } from '#platform/http/rate-limit-headers.ts'
import { type ReportLimit, secondsPerReport, takeReports } from './intake.sql.ts'

/** How many reports of a key a process takes at a time to give out by itself. */
const portion = 100
const mostKeys = 10_000
/** The name of the limit in the RateLimit headers. */
const name = 'error-reports'

/** `elsewhere` was left for others when this process last took a portion. */
type Held = { left: number; elsewhere: number; emptyUntilMs: number; taking: Promise<void> | undefined }

/** What each key may still report. */
export type Allowance = {
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
export function openAllowance(database: Database, limit: ReportLimit): Allowance {
  const keys = new Map<string, Held>()

  const policy = rateLimitPolicy(name, limit.perHour, 3600)

  function takeHeld(held: Held): RateLimitState {
    if (held.left === 0) {
      const waitMs = Math.max(1, held.emptyUntilMs - monotonicMs())
      throw new RateLimitExceeded(name, limit.perHour, 3600, Math.ceil(waitMs / 1000))
    }
    held.left--
    const remaining = held.left + held.elsewhere
    const resetSeconds = Math.ceil(Math.max(1, (limit.burst - remaining) * secondsPerReport(limit)))
    return { name, policy, remaining, resetSeconds }
  }

  async function takePortion(organizationId: string, keyId: string, held: Held): Promise<void> {
    try {
      const { granted, remaining, waitSeconds } = await takeReports(
        database.of(organizationId),
        keyId,
        portion,
        limit,
      )
      held.left += granted
      held.elsewhere = remaining
      if (granted === 0) held.emptyUntilMs = monotonicMs() + waitSeconds * 1000
    } finally {
      held.taking = undefined
    }
  }

  return {
    take(organizationId, keyId) {
      if (limit.perHour === 0) return undefined
      const held = keys.get(keyId) ?? { left: 0, elsewhere: 0, emptyUntilMs: 0, taking: undefined }
      if (!keys.has(keyId)) {
        // what is forgotten was taken: it is given out by nobody
        if (keys.size >= mostKeys) keys.clear()
        keys.set(keyId, held)
      }
      if (held.left > 0 || held.emptyUntilMs > monotonicMs()) return takeHeld(held)
      return wait(held)

      async function wait(mine: Held): Promise<RateLimitState> {
        while (mine.left === 0 && mine.emptyUntilMs <= monotonicMs()) {
          mine.taking ??= takePortion(organizationId, keyId, mine)
          await mine.taking
        }
        return takeHeld(mine)
      }
    },
  }
}
