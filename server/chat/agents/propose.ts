import { proposeAgent } from '#contract/chat/application-agents.ts'
import { fail } from '#platform/fail.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockMembershipsShared } from '../channel-access/membership-lock.sql.ts'
import { assertNotArchived, isManageable } from '../channels/channel.access.ts'
import { readableChannelFor } from '../grants/grant.access.ts'
import { emitAgentPendingApproval } from './agent.events.ts'
import { showOwnAgent } from './agent.json.ts'
import { parseTasks } from './agent.rules.ts'
import { insertAgent } from './agent.sql.ts'

/** AGT-1, AGT-3. */
export const propose = command(proposeAgent, async ({ tx, caller, params, body, audit }) => {
  const tasks = parseTasks(body.tasks)
  const [, channel] = await tx.inOrder(
    () => lockMembershipsShared(tx),
    () => readableChannelFor(tx, caller, params.channelId),
  )
  // no administrator could approve an agent in any other channel
  if (!isManageable(channel)) fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'capability')
  assertNotArchived(channel)
  const agent = await insertAgent(
    tx,
    {
      id: newId(),
      channel_id: channel.id,
      application_id: applicationOf(caller),
      name: body.name.trim(),
      description: body.description?.trim() || null,
      purpose: body.purpose.trim(),
    },
    tasks,
  )
  if (!agent) fail('TOO_MANY_IN_CHANNEL')
  await emitAgentPendingApproval(tx, caller, agent)
  audit(agent.id, ['name', 'description', 'purpose', 'tasks'])
  return showOwnAgent(agent)
})
