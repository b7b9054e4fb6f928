import { categories, type EntrySort, entrySorts } from '#contract/marketplace/entries.ts'
import { assetTypes } from '#contract/studio/assets.ts'

/** The state of the catalogue in the address. */
export type EntrySearch = {
  search?: string
  type?: (typeof assetTypes)[number]
  category?: (typeof categories)[number]
  featured?: true
  sort?: EntrySort
  /** The entry whose details are open. */
  open?: string
}

export function entrySearchOf(given: Record<string, unknown>): EntrySearch {
  const type = assetTypes.find(one => one === given.type)
  const category = categories.find(one => one === given.category)
  const sort = entrySorts.find(one => one === given.sort)
  return {
    // the router reads a text of digits as a number
    ...((typeof given.search === 'string' || typeof given.search === 'number') && {
      search: String(given.search),
    }),
    ...(type && { type }),
    ...(category && { category }),
    ...(given.featured === true && { featured: true as const }),
    ...(sort && { sort }),
    ...(typeof given.open === 'string' && { open: given.open }),
  }
}

/** The order of the catalogue: what fits a search best, else featured entries and then popular ones. */
export function entrySortOf({ search = '', sort }: Pick<EntrySearch, 'search' | 'sort'>): EntrySort {
  return sort ?? (search.trim() === '' ? 'FEATURED' : 'RELEVANCE')
}

/** The input of `listEntries`. */
export function entryInputOf(state: EntrySearch) {
  const { search = '', type, category, featured } = state
  const words = search.trim()
  return {
    query: {
      ...(words !== '' && { search: words }),
      ...(type && { type }),
      ...(category && { category }),
      ...(featured && { featured }),
      sort: entrySortOf(state),
    },
  }
}
