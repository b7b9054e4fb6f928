import { archiveAppChannel } from '#contract/chat/application-channels.ts'
import { command } from '#platform/http/operation.ts'
import { archiveLockedChannel } from '../channels/archive.ts'
import { showAppChannel } from '../channels/channel.json.ts'
import { assertMayUse, lockGrantedChannel } from '../grants/grant.access.ts'

/** On behalf of the grantor. An archived channel stays unchanged and emits no event. */
export const archive = command(archiveAppChannel, async ({ tx, caller, params: { channelId }, audit }) => {
  const before = await lockGrantedChannel(tx, caller, channelId)
  assertMayUse(before, 'Crear y organizar canales', 'CHAT_CHANNELS_EDIT')
  const channel = await archiveLockedChannel(tx, caller, before, before.granted_by)
  audit(channelId, channel === before ? [] : ['archivedAt'], {
    grantorId: before.granted_by,
    before: { archivedAt: before.archived_at },
    after: { archivedAt: channel.archived_at },
  })
  return showAppChannel(channel)
})
