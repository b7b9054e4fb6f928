import { listAgents, listChannelAgents, readAgent } from '#contract/chat/agents.ts'
import { listOwnAgents, readOwnAgent } from '#contract/chat/application-agents.ts'
import { fail } from '#platform/fail.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { query } from '#platform/http/operation.ts'
import { channelFor } from '../channels/channel.access.ts'
import { readCursorPage } from '../cursor-page.ts'
import { agentFor, ownAgentFor } from './agent.access.ts'
import { showAgent, showListedAgent, showOwnAgent } from './agent.json.ts'
import { agentsOfApplication, agentsOfChannel } from './agent.sql.ts'
import { openAgents } from './agent-list.sql.ts'

/** For members and administrators: a channel that the caller knows from the directory shows no agents. */
export const list = query(listChannelAgents, async ({ db, caller, params, query }) => {
  const [channel, page] = await Promise.all([
    channelFor(db, caller, params.id),
    readCursorPage(query, (before, limit) => agentsOfChannel(db, params.id, before, limit)),
  ])
  if (!channel.role && !caller.isAdministrator) fail('CHANNEL_NOT_FOUND')
  return { ...page, items: page.items.map(showAgent) }
})

/** Keeps AGT-12. */
export const listOpen = query(listAgents, async ({ db, caller, query }) => {
  const page = await readCursorPage(query, (before, limit) =>
    openAgents(db, caller, query.status ?? null, before, limit),
  )
  return { ...page, items: page.items.map(row => showListedAgent(caller, row)) }
})

export const read = query(readAgent, async ({ db, caller, params }) =>
  showAgent(await agentFor(db, caller, params.agentId)),
)

export const listOwn = query(listOwnAgents, async ({ db, caller, query }) => {
  const page = await readCursorPage(query, (before, limit) =>
    agentsOfApplication(db, applicationOf(caller), before, limit),
  )
  return { ...page, items: page.items.map(showOwnAgent) }
})

export const readOwn = query(readOwnAgent, async ({ db, caller, params }) =>
  showOwnAgent(await ownAgentFor(db, caller, params.agentId)),
)
