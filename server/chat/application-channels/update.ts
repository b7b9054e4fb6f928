import { updateAppChannel } from '#contract/chat/application-channels.ts'
import { fail } from '#platform/fail.ts'
import { changes } from '#platform/serve.ts'
import { assertNotArchived } from '../channels/access.ts'
import { announceUpdated } from '../channels/announce.ts'
import { type Changeable, changedFields } from '../channels/rules.ts'
import { showToApplication } from '../channels/show.ts'
import { setChannel } from '../channels/store.ts'
import { assertGranted, lockGrantedChannel } from '../grants/access.ts'

/** Name and description, in the name of who granted. Nothing is said when they are what they were. */
export const update = changes(
  updateAppChannel,
  async ({ tx, caller, params: { channelId }, body, audits }) => {
    if (body.name === undefined && body.description === undefined) fail('NOTHING_TO_CHANGE')
    const before = await lockGrantedChannel(tx, caller, channelId)
    assertGranted(before, 'Crear y organizar canales', 'CHAT_CHANNELS_EDIT')
    assertNotArchived(before)
    const after: Changeable = {
      name: body.name?.trim() ?? before.name,
      description: body.description === undefined ? before.description : body.description.trim() || null,
      is_discoverable: before.is_discoverable,
    }
    const changed = changedFields(before, after)
    const detail = { grantorId: before.granted_by, before: told(before), after: told(after) }
    audits(channelId, changed, detail)
    if (changed.length === 0) return showToApplication(before)
    const channel = await setChannel(tx, channelId, after)
    announceUpdated(tx, caller, channel, changed)
    return showToApplication(channel)
  },
)

function told({ name, description }: Changeable): object {
  return { name, description }
}
