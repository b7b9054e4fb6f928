import { createAppChannel } from '#contract/chat/application-channels.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { showAppChannel } from '../channels/channel.json.ts'
import { createChannelWithMembers } from '../channels/create-with-members.ts'
import { capabilitiesOf, hasPermission, rightsOfCreator } from '../grants/grant.rules.ts'
import { insertGrant } from '../grants/grant.sql.ts'
import { principalOf } from './application-channel.sql.ts'

/**
 * The person responsible for the application becomes the owner and needs the permission to create channels. The
 * application gets the rights that both its scopes and that person allow (GRT-10, GRT-11).
 */
export const create = command(createAppChannel, async ({ tx, caller, body, audit }) => {
  const applicationId = applicationOf(caller)
  const principal = await principalOf(tx, applicationId)
  if (
    !principal ||
    !hasPermission(principal, 'CHAT_USE') ||
    !hasPermission(principal, 'CHAT_CHANNELS_CREATE')
  )
    fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'principal')
  const rights = rightsOfCreator(caller.scopes, permission => hasPermission(principal, permission))
  const { isDiscoverable = false } = body
  const name = body.name.trim()
  const description = body.description?.trim() || null
  const input = { kind: 'CHANNEL', name, description, isDiscoverable, createdBy: principal.id } as const
  const channel = await createChannelWithMembers(tx, caller, input, { role: 'OWNER' })
  const { id } = channel
  if (rights) {
    await insertGrant(tx, id, applicationId, principal.id, rights, rights.is_member)
    emit(tx, caller, 'chat.application.changed', { channelId: id, applicationId })
  }
  audit(id, ['name', 'description', 'isDiscoverable'], {
    grantorId: principal.id,
    before: null,
    after: { name, description, isDiscoverable, capabilities: rights ? capabilitiesOf(rights) : null },
  })
  return showAppChannel(channel)
})
