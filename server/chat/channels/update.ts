import { updateChannel } from '#contract/chat/channels.ts'
import type { Tx } from '#platform/data/db.ts'
import type { EventActor } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { assertManagesChannel, assertNotArchived, type ChannelRow, lockChannel } from './channel.access.ts'
import { emitChannelUpdated } from './channel.events.ts'
import { showChannel } from './channel.json.ts'
import { assertMayBeDiscoverable, type ChannelFields, changedFields } from './channel.rules.ts'
import { setChannel } from './channel.sql.ts'

/** CHN-4: an update without a difference emits no event. */
export const update = command(updateChannel, async ({ tx, caller, params: { id }, body, audit }) => {
  if (Object.keys(body).length === 0) {
    const message = 'At least one field is required'
    fail('VALIDATION_ERROR', { details: [{ path: '', code: 'required', message }] })
  }
  const before = await lockChannel(tx, caller, id)
  assertManagesChannel(caller, before, 'CHAT_CHANNELS_EDIT')
  const { channel, changed } = await updateLockedChannel(tx, caller, before, body)
  audit(id, changed)
  return showChannel(channel)
})

type ChannelChanges = { name?: string; description?: string | null; isDiscoverable?: boolean }

/**
 * Updates a locked channel and emits the event if a value differs. `changed` are the wire names of the fields. Refuses
 * CHANNEL_ARCHIVED, and VALIDATION_ERROR if the channel cannot be discoverable.
 */
export async function updateLockedChannel(
  tx: Tx,
  actor: EventActor,
  before: ChannelRow,
  { name, description, isDiscoverable }: ChannelChanges,
): Promise<{ channel: ChannelRow; changed: string[] }> {
  assertNotArchived(before)
  const after: ChannelFields = {
    name: name?.trim() ?? before.name,
    description: description === undefined ? before.description : description?.trim() || null,
    is_discoverable: isDiscoverable ?? before.is_discoverable,
  }
  assertMayBeDiscoverable(before.kind, after.is_discoverable)
  const changed = changedFields(before, after)
  if (changed.length === 0) return { channel: before, changed }
  const channel = await setChannel(tx, before.id, after)
  await emitChannelUpdated(tx, actor, channel, changed)
  return { channel, changed }
}
