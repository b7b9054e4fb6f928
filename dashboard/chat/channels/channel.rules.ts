import type { OwnChannel } from '#contract/chat/channels.ts'
import type { Message } from '#contract/chat/shapes.ts'

export const sectionIds = ['channels', 'portal', 'direct'] as const
export type SectionId = (typeof sectionIds)[number]

const sectionOf = {
  CHANNEL: 'channels',
  GROUP: 'channels',
  CUSTOMER_PORTAL: 'portal',
  DIRECT: 'direct',
} as const satisfies Record<OwnChannel['type'], SectionId>

/** The channels of each section, in the given order. */
export function inSections(channels: readonly OwnChannel[]): Record<SectionId, readonly OwnChannel[]> {
  const of = (id: SectionId) => channels.filter(({ type }) => sectionOf[type] === id)
  return { channels: of('channels'), portal: of('portal'), direct: of('direct') }
}

/** The channels in an order of before; those that are new follow at the end. */
export function inOrderOf(order: readonly string[], channels: readonly OwnChannel[]): readonly OwnChannel[] {
  const rank = new Map(order.map((id, at) => [id, at]))
  const rankOf = ({ id }: OwnChannel) => rank.get(id) ?? order.length
  return channels.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** How many unread messages mention the person, by channel. */
export function mentionCounts(
  mentions: readonly Pick<Message, 'channelId' | 'seq' | 'deletedAt'>[],
  channels: readonly OwnChannel[],
): ReadonlyMap<string, number> {
  const readSeqs = new Map(channels.map(({ id, readSeq }) => [id, readSeq ?? 0]))
  const counts = new Map<string, number>()
  for (const { channelId, seq, deletedAt } of mentions)
    if (deletedAt === null && seq > (readSeqs.get(channelId) ?? Number.MAX_SAFE_INTEGER))
      counts.set(channelId, (counts.get(channelId) ?? 0) + 1)
  return counts
}

/** How many messages of a channel ask for attention, as the person chose: all that are unread, those that mention them, or none. */
export function attentionIn(
  { notification, unreadCount }: Pick<OwnChannel, 'notification' | 'unreadCount'>,
  mentions: number,
): number {
  if (notification === 'NONE') return 0
  return notification === 'MENTIONS' ? Math.min(mentions, unreadCount) : unreadCount
}

/** The next channel with unread messages after the open one, in the order of the list; the muted ones come last. */
export function nextUnread(
  channels: readonly OwnChannel[],
  currentId: string | undefined,
): OwnChannel | undefined {
  const at = channels.findIndex(({ id }) => id === currentId)
  const following = [...channels.slice(at + 1), ...channels.slice(0, Math.max(0, at))]
  const unread = following.filter(({ unreadCount }) => unreadCount > 0)
  return unread.find(({ notification }) => notification !== 'NONE') ?? unread[0]
}
