import { useMemo } from 'react'
import { listGovernedChannels } from '#contract/chat/channels.ts'
import type { Reply } from '#contract/route.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { firstThen } from '../first-then.rules.ts'
import { type GovernedSearch, governedInputOf, ownerlessInputOf } from './governed.rules.ts'

export type GovernedChannel = Reply<typeof listGovernedChannels>['items'][number]

/**
 * The channels and groups of the organization: those without an owner first, then by name, as the server lists them. Those
 * without an owner are a list of their own, so that none of them is on a later page.
 */
export function useGoverned(search: GovernedSearch) {
  const { caller } = useOrganization()
  const enabled = caller.isAdministrator
  const ownerless = useList(listGovernedChannels, ownerlessInputOf(search), { enabled })
  const all = useList(listGovernedChannels, governedInputOf(search), { enabled })
  const { hasMore: hasMoreOwnerless } = ownerless
  const items = useMemo(
    () => firstThen(ownerless.items, hasMoreOwnerless ? [] : all.items),
    [ownerless.items, hasMoreOwnerless, all.items],
  )
  const next = hasMoreOwnerless ? ownerless : all
  return {
    items,
    total: all.total,
    isLoading: all.isLoading || ownerless.isLoading,
    error: all.error ?? ownerless.error,
    hasMore: next.hasMore,
    isLoadingMore: next.isLoadingMore,
    loadMore: next.loadMore,
    reload: () => {
      ownerless.reload()
      all.reload()
    },
  }
}
