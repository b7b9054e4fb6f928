import { reportStatuses } from '#contract/marketplace/review-queue.ts'

export type ReportStatus = (typeof reportStatuses)[number]

/** The state of the list in the address. */
export type ReportSearch = { status?: ReportStatus; entry?: string; open?: string }

export function reportSearchOf(given: Record<string, unknown>): ReportSearch {
  const status = reportStatuses.find(one => one === given.status)
  return {
    ...(status && { status }),
    ...(typeof given.entry === 'string' && { entry: given.entry }),
    ...(typeof given.open === 'string' && { open: given.open }),
  }
}

/** The input of `listEntryReports`: open ones without a status. */
export function reportInputOf({ status, entry }: ReportSearch) {
  return { query: { ...(status && { status }), ...(entry && { entryId: entry }) } }
}
