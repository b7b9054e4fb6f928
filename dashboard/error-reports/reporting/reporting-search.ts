/** The state of the screen in the address. */
export type ReportingSearch = { application?: string; hours?: Hours }

export const hourCounts = [24, 168, 720] as const
export type Hours = (typeof hourCounts)[number]

export function reportingSearchOf(given: Record<string, unknown>): ReportingSearch {
  const hours = hourCounts.find(one => one === given.hours)
  return {
    ...(typeof given.application === 'string' && { application: given.application }),
    ...(hours && { hours }),
  }
}
