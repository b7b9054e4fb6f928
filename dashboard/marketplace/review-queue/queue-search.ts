import { type EntryStatus, entryStatuses } from '#contract/marketplace/entries.ts'

/** The state of the queue in the address. */
export type QueueSearch = { status?: EntryStatus }

export function queueSearchOf(given: Record<string, unknown>): QueueSearch {
  const status = entryStatuses.find(one => one === given.status)
  return status ? { status } : {}
}

/** The input of `listSubmissions`: without a status, what waits for a decision. */
export function queueInputOf({ status }: QueueSearch) {
  return { query: status ? { status } : {} }
}
