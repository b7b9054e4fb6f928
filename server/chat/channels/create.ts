import { createChannel } from '#contract/chat/channels.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { showChannel } from './channel.json.ts'
import { assertMayBeDiscoverable } from './channel.rules.ts'
import { createChannelWithMembers, othersThan } from './create-with-members.ts'

export const create = command(createChannel, async ({ tx, caller, body, audit }) => {
  const { type: kind = 'CHANNEL', isDiscoverable = false, memberIds = [] } = body
  assertMayBeDiscoverable(kind, isDiscoverable)
  assertMayAddMembers(caller, memberIds)
  const name = body.name.trim()
  const description = body.description?.trim() || null
  const channel = await createChannelWithMembers(
    tx,
    caller,
    { kind, name, description, isDiscoverable },
    { role: 'OWNER', memberIds },
  )
  audit(channel.id, ['name', 'description', 'isDiscoverable', 'members'])
  return showChannel(channel)
})

/** Refuses PERMISSION_DENIED if the caller names other people without CHAT_MEMBERS_ADD. */
export function assertMayAddMembers(caller: Caller, memberIds: readonly string[]): void {
  if (othersThan(caller, memberIds).length > 0 && !caller.permissions.has('CHAT_MEMBERS_ADD'))
    fail('PERMISSION_DENIED')
}
