import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { required } from '#platform/required.ts'
import { type ChannelRow, isManageable } from './channel.access.ts'
import { nextSequence } from './channel.sql.ts'

/** Stream event for all kinds; applications receive events of channels and groups only (CEV-3, CEV-8). */
export async function emitChannelCreated(tx: Tx, actor: EventActor, channel: ChannelRow): Promise<void> {
  emit(tx, actor, 'chat.channel.created', { channelId: channel.id })
  if (!isManageable(channel)) return
  emit(tx, actor, 'CHAT_CHANNEL_CREATED', await channelEventData(tx, channel), subjectOf(channel))
}

/** `changes` are the wire names of the changed fields. */
export async function emitChannelUpdated(
  tx: Tx,
  actor: EventActor,
  channel: ChannelRow,
  changes: string[],
): Promise<void> {
  emit(tx, actor, 'chat.channel.updated', { channelId: channel.id })
  if (!isManageable(channel)) return
  const data = { ...(await channelEventData(tx, channel)), changes }
  emit(tx, actor, 'CHAT_CHANNEL_UPDATED', data, subjectOf(channel))
}

export async function emitChannelArchived(tx: Tx, actor: EventActor, channel: ChannelRow): Promise<void> {
  emit(tx, actor, 'chat.channel.archived', { channelId: channel.id })
  if (!isManageable(channel)) return
  const data = {
    ...(await channelEventData(tx, channel)),
    archivedAt: required(channel.archived_at, 'the time of archiving'),
  }
  emit(tx, actor, 'CHAT_CHANNEL_ARCHIVED', data, subjectOf(channel))
}

function subjectOf({ id }: ChannelRow): { channelId: string } {
  return { channelId: id }
}

async function channelEventData(tx: Tx, { id, kind, name, description, is_discoverable }: ChannelRow) {
  return {
    channelId: id,
    sequence: await nextSequence(tx, id),
    type: kind,
    name: name ?? '',
    description,
    isDiscoverable: is_discoverable,
  }
}
