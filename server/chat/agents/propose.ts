import { proposeAgent } from '#contract/chat/application-agents.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { changes } from '#platform/serve.ts'
import { assertNotArchived, isGoverned } from '../channels/access.ts'
import { readableChannelFor } from '../grants/access.ts'
import { holdStanding } from '../standing/access.ts'
import { announcePending } from './announce.ts'
import { tasksFrom } from './rules.ts'
import { showOwnAgent } from './show.ts'
import { insertAgent } from './store.ts'

/** AGT-1 and AGT-3: a proposed agent awaits the approval of an administrator of the channel. */
export const propose = changes(proposeAgent, async ({ tx, caller, params, body, audits }) => {
  const tasks = tasksFrom(body.tasks)
  const [, channel] = await Promise.all([holdStanding(tx), readableChannelFor(tx, caller, params.channelId)])
  // where nobody governs nobody could approve
  if (!isGoverned(channel)) fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'capability')
  assertNotArchived(channel)
  const agent = await insertAgent(
    tx,
    {
      id: newId(),
      channel_id: channel.id,
      application_id: caller.applicationId!,
      name: body.name.trim(),
      description: body.description?.trim() || null,
      purpose: body.purpose.trim(),
    },
    tasks,
  )
  if (!agent) fail('TOO_MANY_IN_CHANNEL')
  await announcePending(tx, caller, agent)
  audits(agent.id, ['name', 'description', 'purpose', 'tasks'])
  return showOwnAgent(agent)
})
