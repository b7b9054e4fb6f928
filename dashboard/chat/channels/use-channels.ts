import { useMemo, useRef } from 'react'
import { listOwnChannels, type OwnChannel } from '#contract/chat/channels.ts'
import { listDrafts } from '#contract/chat/drafts.ts'
import { listMentions } from '#contract/chat/messages.ts'
import { useList, useRead } from '../../data/read.ts'
import { inOrderOf, mentionCounts } from './channel.rules.ts'
import { channelListInput } from './list-input.ts'

/** The channels of the person, the one with the latest message first, with what waits in each. */
export function useChannels() {
  const list = useList(listOwnChannels, channelListInput)
  const mentions = useList(listMentions)
  const counts = useMemo(() => mentionCounts(mentions.items, list.items), [mentions.items, list.items])
  return { list, mentions: counts }
}

/** The channels in which the person has a draft. */
export function useDraftChannels(): ReadonlySet<string> {
  const { data } = useRead(listDrafts)
  return useMemo(() => new Set(data?.items.map(({ channelId }) => channelId)), [data])
}

/** The channels in the order that they had when the person came to the list, as long as they are there. */
export function useFrozenOrder(channels: readonly OwnChannel[], isFrozen: boolean): readonly OwnChannel[] {
  const order = useRef<readonly string[]>([])
  return useMemo(() => {
    const shown = isFrozen ? inOrderOf(order.current, channels) : channels
    order.current = shown.map(({ id }) => id)
    return shown
  }, [channels, isFrozen])
}
