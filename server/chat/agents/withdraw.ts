import { withdrawAgent } from '#contract/chat/application-agents.ts'
import { command } from '#platform/http/operation.ts'
import { lockOwnAgent } from './agent.access.ts'
import { emitAgentChanged } from './agent.events.ts'
import { showOwnAgent } from './agent.json.ts'
import { hasEnded } from './agent.rules.ts'
import { setState } from './agent.sql.ts'

export const withdraw = command(withdrawAgent, async ({ tx, caller, params, audit }) => {
  const agent = await lockOwnAgent(tx, caller, params.agentId)
  if (hasEnded(agent)) return showOwnAgent(agent)
  const withdrawn = await setState(tx, agent.id, { status: 'WITHDRAWN', reason: null })
  emitAgentChanged(tx, caller, withdrawn)
  audit(agent.id, ['status'])
  return showOwnAgent(withdrawn)
})
