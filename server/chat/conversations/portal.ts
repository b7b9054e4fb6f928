import { createPortalConversation } from '#contract/chat/channels.ts'
import { command } from '#platform/http/operation.ts'
import { showChannel } from '../channels/channel.json.ts'
import { assertMayAddMembers } from '../channels/create.ts'
import { createChannelWithMembers } from '../channels/create-with-members.ts'

export const createPortal = command(createPortalConversation, async ({ tx, caller, body, audit }) => {
  const { memberIds = [] } = body
  assertMayAddMembers(caller, memberIds)
  const name = body.name.trim()
  const customerReference = body.customerReference.trim()
  const input = { kind: 'CUSTOMER_PORTAL', name, customerReference } as const
  const channel = await createChannelWithMembers(tx, caller, input, { role: 'OWNER', memberIds })
  audit(channel.id, ['name', 'customerReference', 'members'])
  return showChannel(channel)
})
