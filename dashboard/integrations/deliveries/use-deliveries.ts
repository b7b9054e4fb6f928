import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { listDeliveries, listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { useNewRows } from '../../data/new-rows.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, useList, useRead } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import type { ListedDelivery } from './delivery.ts'
import { type DeliveryFilters, deliveryQueryOf } from './delivery-search.rules.ts'

const pendingMs = 2_000
/** The most ids that one call takes. */
const mostIds = 100

/**
 * The deliveries that fit the filters, to one application or to all. Those that wait are read again until they have
 * ended, and change in place. `newCount`: how many there are since the list was read.
 */
export function useDeliveries(
  applicationId: string | undefined,
  { application, ...filters }: DeliveryFilters,
) {
  const { status, event, time } = filters
  const query = useMemo(
    // the range of a span is that of the moment at which the person chose it
    () =>
      deliveryQueryOf(
        { ...(status && { status }), ...(event && { event }), ...(time && { time }) },
        currentTime(),
      ),
    [status, event, time],
  )
  const isOfOne = applicationId !== undefined
  const ofOne = useList(listDeliveries, { params: { id: applicationId ?? '' }, query }, { enabled: isOfOne })
  const ofAllQuery = { ...(application && { applicationId: application }), ...query }
  const ofAll = useList(listOrganizationDeliveries, { query: ofAllQuery }, { enabled: !isOfOne })
  const list = isOfOne ? ofOne : ofAll
  const items: readonly ListedDelivery[] = list.items
  // a page may have no rows although others follow
  const { hasMore, isLoadingMore, loadMore } = list
  const isSearching = items.length === 0 && hasMore
  useEffect(() => {
    if (isSearching && !isLoadingMore) loadMore()
  }, [isSearching, isLoadingMore, loadMore])
  usePendingDeliveries(items, isOfOne ? applicationId : undefined)
  const { newCount, showNew } = useNewDeliveries(items, isOfOne ? applicationId : undefined, ofAllQuery)
  return { list: { ...list, items, isLoading: list.isLoading || isSearching }, newCount, showNew, query }
}

/** Reads the waiting rows of a list again and writes what changed into the list. */
function usePendingDeliveries(items: readonly ListedDelivery[], applicationId: string | undefined): void {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const ids = items.flatMap(row => (row.status === 'PENDING' ? [row.id] : [])).slice(0, mostIds)
  const { data } = useRead(
    listOrganizationDeliveries,
    { query: { ...(applicationId && { applicationId }), ids, limit: mostIds } },
    { enabled: ids.length > 0, staleMs: 0, pollMs: pendingMs },
  )
  useEffect(() => {
    const fresh = new Map((data?.items ?? []).map(row => [row.id, row]))
    if (fresh.size === 0) return
    for (const queryKey of [keyOf(id, listDeliveries), keyOf(id, listOrganizationDeliveries)])
      cache.setQueriesData<Pages>({ queryKey }, former => former && withFresh(former, fresh))
  }, [cache, id, data])
}

type Page = { items: readonly ListedDelivery[] }
type Pages = { pages?: readonly Page[] }

/** The pages of a list with the new values of its rows; the same pages if nothing changed. */
function withFresh(former: Pages, fresh: ReadonlyMap<string, ListedDelivery>): Pages {
  const changed = (row: ListedDelivery) => {
    const now = fresh.get(row.id)
    return now !== undefined && (now.status !== row.status || now.attempts !== row.attempts)
  }
  if (!former.pages?.some(({ items }) => items.some(changed))) return former
  return {
    ...former,
    pages: former.pages.map(page => ({
      ...page,
      items: page.items.map(row => (changed(row) ? { ...row, ...fresh.get(row.id) } : row)),
    })),
  }
}

/** How many deliveries fit the filters that are newer than those of the list, once the stream announced some. */
function useNewDeliveries(
  items: readonly ListedDelivery[],
  applicationId: string | undefined,
  query: object,
): { newCount: number; showNew: () => void } {
  const shown = useMemo(() => new Set(items.map(({ id }) => id)), [items])
  const operation = applicationId === undefined ? listOrganizationDeliveries : listDeliveries
  const { ids, show } = useNewRows(operation, shown)
  const { data } = useRead(
    listOrganizationDeliveries,
    { query: { ...query, ...(applicationId && { applicationId }), limit: mostIds } },
    { enabled: ids.length > 0, staleMs: 0 },
  )
  const first = items[0]?.id ?? ''
  // ids are in the order of time
  const count = ids.length > 0 ? (data?.items ?? []).filter(({ id }) => id > first).length : 0
  return { newCount: count, showNew: show }
}
