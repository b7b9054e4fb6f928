import type { listRecoveries } from '#contract/integrations/recoveries.ts'
import type { Reply } from '#contract/route.ts'

export type Recovery = Reply<typeof listRecoveries>['items'][number]

/** The share of a recovery that has ended, from 0 to 1. */
export function progressOf({ total, waiting, cancelled }: Recovery): number {
  return total === 0 ? 1 : Math.min(1, Math.max(0, (total - waiting - cancelled) / total))
}

/** How long a recovery takes if every first attempt succeeds, in seconds. */
export function secondsFor(count: number, perSecond: number): number {
  return Math.ceil(count / Math.max(1, perSecond))
}

/** The start of what a recovery takes: that of the filter, or the time for which deliveries are stored. */
export function sinceOf(since: string | undefined, now: number, days: number): string {
  return since ?? new Date(Math.floor(now / 60_000) * 60_000 - days * 86_400_000).toISOString()
}
