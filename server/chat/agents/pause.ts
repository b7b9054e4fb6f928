import { pauseAgent, resumeAgent } from '#contract/chat/agents.ts'
import { command } from '#platform/http/operation.ts'
import { lockManagedAgent } from './agent.access.ts'
import { emitAgentChanged } from './agent.events.ts'
import { showAgent } from './agent.json.ts'
import { nextState } from './agent.rules.ts'
import { setState } from './agent.sql.ts'

/** An agent that the budget has paused stays paused when the budget allows it to run again. */
export const pause = command(pauseAgent, async ({ tx, caller, params, audit }) => {
  const agent = await lockManagedAgent(tx, caller, params.agentId)
  const paused = await setState(tx, agent.id, nextState(agent, 'pause'))
  emitAgentChanged(tx, caller, paused)
  audit(agent.id, ['status'])
  return showAgent(paused)
})

export const resume = command(resumeAgent, async ({ tx, caller, params, audit }) => {
  const agent = await lockManagedAgent(tx, caller, params.agentId)
  const resumed = await setState(tx, agent.id, nextState(agent, 'resume'))
  emitAgentChanged(tx, caller, resumed)
  audit(agent.id, ['status'])
  return showAgent(resumed)
})
