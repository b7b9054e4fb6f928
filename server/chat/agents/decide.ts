import { approveAgent, rejectAgent } from '#contract/chat/agents.ts'
import { command } from '#platform/http/operation.ts'
import { lockManagedAgent } from './agent.access.ts'
import { emitAgentApproved, emitAgentRejected } from './agent.events.ts'
import { showAgent } from './agent.json.ts'
import { nextState } from './agent.rules.ts'
import { setDecision } from './agent.sql.ts'

/** AGT-3. */
export const approve = command(approveAgent, async ({ tx, caller, params, audit }) => {
  const agent = await lockManagedAgent(tx, caller, params.agentId)
  const decided = await setDecision(tx, agent.id, nextState(agent, 'approve'), null, caller.personId)
  await emitAgentApproved(tx, caller, decided)
  audit(agent.id, ['status'])
  return showAgent(decided)
})

export const reject = command(rejectAgent, async ({ tx, caller, params, body, audit }) => {
  const agent = await lockManagedAgent(tx, caller, params.agentId)
  const note = body.note?.trim() || null
  const decided = await setDecision(tx, agent.id, nextState(agent, 'reject'), note, caller.personId)
  await emitAgentRejected(tx, caller, decided, 'REJECTED', note)
  audit(agent.id, ['status', 'statusNote'])
  return showAgent(decided)
})
