import { useEffect, useMemo } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { listGrants } from '#contract/chat/grants.ts'
import { listChannelMembers } from '#contract/chat/members.ts'
import { limits } from '#contract/limits.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { useWords } from '../../words/words.ts'
import type { Names } from '../messages/chat-text.rules.ts'
import { messageTexts } from '../messages/message.words.ts'
import type { Mentionable } from './mention.rules.ts'

/** The readers of a channel: its people, and the applications that are in it. */
export type Audience = {
  isLoaded: boolean
  people: number
  applications: readonly string[]
  mentionable: readonly Mentionable[]
  names: Names
  /** Reads the members that are not there yet, for a mention. */
  loadAll: () => void
}

/** The readers of a channel, for the words of the composer and for mentions. */
export function useAudience({ id, type }: Pick<OwnChannel, 'id' | 'type'>): Audience {
  const { unknown } = { unknown: useWords(messageTexts).somebody }
  const ownId = useOrganization().caller.person.id
  const isManaged = type === 'CHANNEL' || type === 'GROUP'
  const members = useList(listChannelMembers, { params: { id }, query: { limit: limits.pageLimit } })
  const grants = useRead(listGrants, { params: { id } }, { enabled: isManaged })
  const { items, total, hasMore, isLoadingMore, loadMore } = members
  const inChannel = useMemo(
    () => (grants.data?.items ?? []).filter(({ isEffective }) => isEffective),
    [grants.data],
  )
  const mentionable = useMemo(
    () => [
      ...items
        .filter(person => person.id !== ownId)
        .map(({ id: personId, displayName }) => ({
          id: personId,
          name: displayName,
          kind: 'person' as const,
        })),
      ...inChannel.map(({ application }) => ({
        id: application.id,
        name: application.name,
        kind: 'application' as const,
      })),
    ],
    [items, inChannel, ownId],
  )
  const names = useMemo<Names>(
    () => ({
      byId: new Map([
        ...items.map(person => [person.id, person.displayName] as const),
        ...(grants.data?.items ?? []).map(({ application }) => [application.id, application.name] as const),
      ]),
      ownId,
      unknown,
    }),
    [items, grants.data, ownId, unknown],
  )
  return {
    isLoaded: !members.isLoading && (!isManaged || !grants.isPending),
    people: total ?? 0,
    applications: inChannel.map(({ application }) => application.name),
    mentionable,
    names,
    loadAll: () => hasMore && !isLoadingMore && loadMore(),
  }
}

/** Reads all members while a name is being looked for. */
export function useAllMembers({ loadAll }: Audience, isNeeded: boolean): void {
  useEffect(() => {
    if (isNeeded) loadAll()
  })
}
