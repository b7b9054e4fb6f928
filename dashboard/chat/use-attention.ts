import { attentionIn } from './channels/channel.rules.ts'
import { useChannels } from './channels/use-channels.ts'

/** How many unread messages ask for the attention of the person, over all channels (CHN-19). */
export function useAttention(): number {
  const { list, mentions } = useChannels()
  return list.items.reduce((sum, channel) => sum + attentionIn(channel, mentions.get(channel.id) ?? 0), 0)
}
