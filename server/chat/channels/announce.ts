import type { Tx } from '#platform/db/database.ts'
import { type Actor, emit } from '#platform/emit.ts'
import { type ChannelRow, isGoverned } from './access.ts'

/** Says on the stream, and to the applications of a channel or group, that it was created. Document 2, Events. */
export function announceCreated(tx: Tx, actor: Actor, channel: ChannelRow): void {
  emit(tx, actor, 'chat.channel.created', { channelId: channel.id })
  if (isGoverned(channel)) emit(tx, actor, 'CHAT_CHANNEL_CREATED', noticeOf(channel), about(channel))
}

/** The same of a change; `changes` are the fields. */
export function announceUpdated(tx: Tx, actor: Actor, channel: ChannelRow, changes: string[]): void {
  emit(tx, actor, 'chat.channel.updated', { channelId: channel.id })
  if (isGoverned(channel))
    emit(tx, actor, 'CHAT_CHANNEL_UPDATED', { ...noticeOf(channel), changes }, about(channel))
}

/** The same when it is archived. */
export function announceArchived(tx: Tx, actor: Actor, channel: ChannelRow): void {
  emit(tx, actor, 'chat.channel.archived', { channelId: channel.id })
  if (isGoverned(channel)) {
    const archivedAt = channel.archived_at!
    emit(tx, actor, 'CHAT_CHANNEL_ARCHIVED', { ...noticeOf(channel), archivedAt }, about(channel))
  }
}

function about({ id }: ChannelRow): { channelId: string } {
  return { channelId: id }
}

function noticeOf({ id, kind, name, description, is_discoverable }: ChannelRow) {
  return { channelId: id, type: kind, name: name ?? '', description, isDiscoverable: is_discoverable }
}
