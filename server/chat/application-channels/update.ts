import { updateAppChannel } from '#contract/chat/application-channels.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import type { ChannelRow } from '../channels/channel.access.ts'
import { showAppChannel } from '../channels/channel.json.ts'
import { updateLockedChannel } from '../channels/update.ts'
import { assertMayUse, lockGrantedChannel } from '../grants/grant.access.ts'

/** On behalf of the grantor. Emits no event if nothing changes. */
export const update = command(
  updateAppChannel,
  async ({ tx, caller, params: { channelId }, body, audit }) => {
    if (body.name === undefined && body.description === undefined) fail('NOTHING_TO_CHANGE')
    const before = await lockGrantedChannel(tx, caller, channelId)
    assertMayUse(before, 'Crear y organizar canales', 'CHAT_CHANNELS_EDIT')
    const { channel, changed } = await updateLockedChannel(tx, caller, before, body)
    audit(channelId, changed, {
      grantorId: before.granted_by,
      before: auditDetail(before),
      after: auditDetail(channel),
    })
    return showAppChannel(channel)
  },
)

function auditDetail({ name, description }: ChannelRow): object {
  return { name, description }
}
