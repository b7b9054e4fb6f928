import { type ReleaseSearch, releaseSearchOf } from '../release/release-search.ts'

export const entryTabs = ['contents', 'reviews', 'installs'] as const
export type EntryTab = (typeof entryTabs)[number]

/** The state of the page of an entry in the address. */
export function entryPageSearchOf(given: Record<string, unknown>): ReleaseSearch & { tab?: EntryTab } {
  const tab = entryTabs.find(one => one === given.tab)
  return { ...releaseSearchOf(given), ...(tab && { tab }) }
}
