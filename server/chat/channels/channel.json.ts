import type { ListedChannel, OwnChannel } from '#contract/chat/channels.ts'
import type { Channel } from '#contract/chat/shapes.ts'
import type { ChannelRow, OwnChannelRow } from './channel.access.ts'
import type { ManageableChannelRow, OwnChannelListRow } from './listing/channel-list.sql.ts'

/** A channel, as people see it (CHN-2). */
export function showChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    type: row.kind,
    name: row.name,
    description: row.description,
    isDiscoverable: row.is_discoverable,
    isArchived: row.archived_at !== null,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastMessageAt: row.last_message_at,
  }
}

/** A channel, as an application sees it: the last message must not reveal the time of a hidden message. */
export function showAppChannel(row: ChannelRow): Channel {
  return { ...showChannel(row), lastMessageAt: row.last_visible_at }
}

export function showListedChannel(row: OwnChannelRow): ListedChannel {
  return { ...showChannel(row), role: row.role }
}

export function showManageableChannel(row: ManageableChannelRow): ListedChannel & { hasOwner: boolean } {
  return { ...showListedChannel(row), hasOwner: row.has_owner }
}

export function showOwnChannel(row: OwnChannelListRow): OwnChannel {
  return {
    ...showListedChannel(row),
    customerReference: row.customer_reference,
    people: row.people,
    lastSeq: row.last_seq,
    readSeq: row.read_seq,
    unreadCount: row.unread,
    notification: row.notification,
  }
}
