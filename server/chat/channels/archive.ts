import { archiveChannel, unarchiveChannel } from '#contract/chat/channels.ts'
import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { assertManagesChannel, type ChannelRow, lockChannel } from './channel.access.ts'
import { emitChannelArchived } from './channel.events.ts'
import { showChannel } from './channel.json.ts'
import { setArchived } from './channel.sql.ts'

/** CHN-6. */
export const archive = command(archiveChannel, async ({ tx, caller, params: { id }, audit }) => {
  const before = await lockChannel(tx, caller, id)
  assertManagesChannel(caller, before, 'CHAT_CHANNELS_EDIT')
  const channel = await archiveLockedChannel(tx, caller, before, caller.personId)
  audit(id, channel === before ? [] : ['archivedAt'])
  return showChannel(channel)
})

/** Applications receive no event (see the states of CHN-10). */
export const unarchive = command(unarchiveChannel, async ({ tx, caller, params: { id }, audit }) => {
  const before = await lockChannel(tx, caller, id)
  assertManagesChannel(caller, before, 'CHAT_CHANNELS_EDIT')
  if (before.archived_at === null) {
    audit(id)
    return showChannel(before)
  }
  const channel = await setArchived(tx, id, null)
  emit(tx, caller, 'chat.channel.updated', { channelId: id })
  audit(id, ['archivedAt'])
  return showChannel(channel)
})

/** Archives a locked channel on behalf of a person. An archived channel stays unchanged and emits no event. */
export async function archiveLockedChannel(
  tx: Tx,
  actor: EventActor,
  before: ChannelRow,
  archivedBy: string,
): Promise<ChannelRow> {
  if (before.archived_at !== null) return before
  const channel = await setArchived(tx, before.id, archivedBy)
  await emitChannelArchived(tx, actor, channel)
  return channel
}
