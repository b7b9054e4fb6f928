import { useMemo } from 'react'
import { listAgents, type OpenAgentStatus } from '#contract/chat/agents.ts'
import { useList } from '../../data/read.ts'
import { firstThen } from '../first-then.rules.ts'

/**
 * The agents of all channels: those that wait for approval first, then the newest. The server lists them by time, so the
 * waiting ones are a list of their own in front.
 */
export function useAgents(status: OpenAgentStatus | undefined) {
  const isAll = status === undefined
  const waiting = useList(listAgents, { query: { status: 'PENDING_APPROVAL' } }, { enabled: isAll })
  const all = useList(listAgents, { query: status ? { status } : {} })
  // the rest comes after all that wait, so that no row moves
  const hasMoreWaiting = isAll && waiting.hasMore
  const items = useMemo(
    () => (isAll ? firstThen(waiting.items, hasMoreWaiting ? [] : all.items) : all.items),
    [isAll, waiting.items, hasMoreWaiting, all.items],
  )
  const next = hasMoreWaiting ? waiting : all
  return {
    items,
    total: undefined,
    isLoading: all.isLoading || (isAll && waiting.isLoading),
    error: (isAll && waiting.error) || all.error,
    hasMore: next.hasMore,
    isLoadingMore: next.isLoadingMore,
    loadMore: next.loadMore,
    reload: () => {
      all.reload()
      if (isAll) waiting.reload()
    },
  }
}
