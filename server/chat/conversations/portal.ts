import { createPortalConversation } from '#contract/chat/channels.ts'
import { command } from '#platform/http/operation.ts'
import { showChannel } from '../channels/channel.json.ts'
import { assertMayBring } from '../channels/create.ts'
import { makeChannel } from '../channels/create-with-members.ts'

/** A conversation about a customer, of people of the team. */
export const createPortal = command(createPortalConversation, async ({ tx, caller, body, audit }) => {
  const { memberIds = [] } = body
  assertMayBring(caller, memberIds)
  const name = body.name.trim()
  const customerReference = body.customerReference.trim()
  const given = { kind: 'CUSTOMER_PORTAL', name, customerReference } as const
  const channel = await makeChannel(tx, caller, given, { role: 'OWNER', memberIds })
  audit(channel.id, ['name', 'customerReference', 'members'])
  return showChannel(channel)
})
