import { createAppChannel } from '#contract/chat/application-channels.ts'
import { emit } from '#platform/emit.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { changes } from '#platform/serve.ts'
import { announceCreated } from '../channels/announce.ts'
import { showToApplication } from '../channels/show.ts'
import { assertRoomForChannel, insertChannel } from '../channels/store.ts'
import { capabilitiesOf, grantOfCreator, holds } from '../grants/rules.ts'
import { insertGrant } from '../grants/store.ts'
import { hasRoom, insertMember } from '../members/store.ts'
import { principalOf } from './store.ts'

/**
 * A channel of the principal of the application, who must be allowed to make one themselves. What the application may do
 * there is as much as its scopes ask for and they may do. Document 2, POST /chat/channels.
 */
export const create = changes(createAppChannel, async ({ tx, caller, body, audits }) => {
  const applicationId = caller.applicationId!
  const principal = await principalOf(tx, applicationId)
  if (!principal || !holds(principal, 'CHAT_USE') || !holds(principal, 'CHAT_CHANNELS_CREATE'))
    fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'principal')
  const granted = grantOfCreator(caller.scopes, permission => holds(principal, permission))
  const id = newId()
  const isDiscoverable = body.isDiscoverable ?? false
  const [isThereRoom] = await Promise.all([hasRoom(tx, id, [principal.id]), assertRoomForChannel(tx)])
  if (!isThereRoom) fail('TOO_MANY_IN_CHANNEL')
  const [channel] = await Promise.all([
    insertChannel(tx, {
      ...{ id, kind: 'CHANNEL', name: body.name.trim(), description: body.description?.trim() || null },
      ...{ isDiscoverable, directKey: null, customerReference: null },
      ...{ createdBy: principal.id, createdByApplication: applicationId },
    }),
    insertMember(tx, id, principal.id, 'OWNER'),
    granted && insertGrant(tx, id, applicationId, principal.id, granted),
  ])
  announceCreated(tx, caller, channel)
  if (granted) emit(tx, caller, 'chat.application.changed', { channelId: id, applicationId })
  const { name, description } = channel
  audits(id, ['name', 'description', 'isDiscoverable'], {
    grantorId: principal.id,
    before: null,
    after: { name, description, isDiscoverable, capabilities: granted ? capabilitiesOf(granted) : null },
  })
  return showToApplication(channel)
})
