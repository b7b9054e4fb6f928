import { createPortalConversation } from '#contract/chat/channels.ts'
import { changes } from '#platform/http/operation.ts'
import { showChannel } from '../channels/channel.json.ts'
import { assertMayBring } from '../channels/create.ts'
import { makeChannel } from '../channels/make.ts'

/** A conversation about a customer, of people of the team. */
export const createPortal = changes(createPortalConversation, async ({ tx, caller, body, audits }) => {
  const { memberIds = [] } = body
  assertMayBring(caller, memberIds)
  const name = body.name.trim()
  const customerReference = body.customerReference.trim()
  const given = { kind: 'CUSTOMER_PORTAL', name, customerReference } as const
  const channel = await makeChannel(tx, caller, given, { role: 'OWNER', memberIds })
  audits(channel.id, ['name', 'customerReference', 'members'])
  return showChannel(channel)
})
