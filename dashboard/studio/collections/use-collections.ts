import { useEffect } from 'react'
import { listCollections } from '#contract/studio/collections.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'

/** All collections with their descendants behind them, a hundred at a time. */
export const collectionsInput = { query: { tree: true, limit: 100 } } as const
/** The stream has no event for collections, so they are read anew after this time. */
export const collectionsStaleMs = 30_000
/** So many are read at once; more are behind a button. */
const mostRead = 1_000

/** The tree of collections, for the page and for fields. */
export function useCollections(options: { enabled?: boolean } = {}) {
  const list = useList(listCollections, collectionsInput, { staleMs: collectionsStaleMs, ...options })
  const { hasMore, isLoadingMore, loadMore, items, error } = list
  const goesOn = hasMore && !isLoadingMore && !error && items.length < mostRead
  useEffect(() => {
    if (goesOn) loadMore()
  })
  return list
}

/** The address of a collection. */
export function useCollectionHref(): (id: string) => string {
  const { address } = useOrganization()
  return id => `/o/${encodeURIComponent(address)}/collections/${encodeURIComponent(id)}`
}
