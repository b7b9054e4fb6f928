import { updateChannel } from '#contract/chat/channels.ts'
import { fail } from '#platform/fail.ts'
import { changes } from '#platform/serve.ts'
import { assertGoverns, assertNotArchived, lockChannel } from './access.ts'
import { announceUpdated } from './announce.ts'
import { assertListable, type Changeable, changedFields } from './rules.ts'
import { showChannel } from './show.ts'
import { setChannel } from './store.ts'

/** Changes what is given. Document 2, Events, CHAT_CHANNEL_UPDATED: said only when something differs. */
export const update = changes(updateChannel, async ({ tx, caller, params: { id }, body, audits }) => {
  if (Object.keys(body).length === 0) {
    const message = 'Give at least one field'
    fail('VALIDATION_ERROR', { details: [{ path: '', code: 'required', message }] })
  }
  const before = await lockChannel(tx, caller, id)
  assertGoverns(caller, before, 'CHAT_CHANNELS_EDIT')
  assertNotArchived(before)
  const after: Changeable = {
    name: body.name?.trim() ?? before.name,
    description: body.description === undefined ? before.description : body.description?.trim() || null,
    is_discoverable: body.isDiscoverable ?? before.is_discoverable,
  }
  assertListable(before.kind, after.is_discoverable)
  const changed = changedFields(before, after)
  audits(id, changed)
  if (changed.length === 0) return showChannel(before)
  const channel = await setChannel(tx, id, after)
  announceUpdated(tx, caller, channel, changed)
  return showChannel(channel)
})
