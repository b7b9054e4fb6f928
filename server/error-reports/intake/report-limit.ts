import { limits } from '#contract/limits.ts'
import type { Services } from '#platform/services.ts'
import type { Config } from '#server/config.ts'

/** How many error reports a key may send per hour, and how many at once; 0 per hour for any number. */
export type ReportLimit = { perHour: number; burst: number }

declare module '#platform/services.ts' {
  interface Services {
    readonly errorReportLimit?: ReportLimit
  }
}

/** The limit of a server whose settings name none. */
export const defaultReportLimit: ReportLimit = {
  perHour: limits.errorReportsPerHour,
  burst: limits.errorReportsBurst,
}

/** The limit of the settings, with a burst of a sixth of it; the rest becomes available evenly within the hour. */
export function reportLimitService({
  errorReportsPerHour: perHour,
}: Pick<Config, 'errorReportsPerHour'>): Pick<Services, 'errorReportLimit'> {
  return perHour === undefined ? {} : { errorReportLimit: { perHour, burst: Math.ceil(perHour / 6) } }
}
