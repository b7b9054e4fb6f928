import { listAgentExecutions } from '#contract/chat/agents.ts'
import { listOwnAgentExecutions } from '#contract/chat/application-agents.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { readCursorPage } from '../../cursor-page.ts'
import { agentFor, ownAgentFor } from '../agent.access.ts'
import { showExecution } from './execution.json.ts'
import { executionsOf } from './execution.sql.ts'

/** For members only: a summary may quote messages of the channel, which administrators can read once they join. */
export const list = query(listAgentExecutions, async ({ db, caller, params, query }) => {
  const agent = await agentFor(db, caller, params.agentId)
  if (!agent.role) fail('CHANNEL_NOT_FOUND')
  const page = await readCursorPage(query, (before, limit) => executionsOf(db, agent.id, before, limit))
  return { ...page, items: page.items.map(showExecution) }
})

export const listOwn = query(listOwnAgentExecutions, async ({ db, caller, params, query }) => {
  const agent = await ownAgentFor(db, caller, params.agentId)
  const page = await readCursorPage(query, (before, limit) => executionsOf(db, agent.id, before, limit))
  return { ...page, items: page.items.map(showExecution) }
})
