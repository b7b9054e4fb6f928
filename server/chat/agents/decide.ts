import { approveAgent, rejectAgent } from '#contract/chat/agents.ts'
import { changes } from '#platform/http/operation.ts'
import { lockGovernedAgent } from './agent.access.ts'
import { announceApproved, announceRejected } from './agent.events.ts'
import { showAgent } from './agent.json.ts'
import { moved } from './agent.rules.ts'
import { setDecision } from './agent.sql.ts'

/** AGT-3: an administrator of the channel approves a proposal. */
export const approve = changes(approveAgent, async ({ tx, caller, params, audits }) => {
  const agent = await lockGovernedAgent(tx, caller, params.agentId)
  const decided = await setDecision(tx, agent.id, moved(agent, 'approve'), null, caller.personId)
  await announceApproved(tx, caller, decided)
  audits(agent.id, ['status'])
  return showAgent(decided)
})

export const reject = changes(rejectAgent, async ({ tx, caller, params, body, audits }) => {
  const agent = await lockGovernedAgent(tx, caller, params.agentId)
  const note = body.note?.trim() || null
  const decided = await setDecision(tx, agent.id, moved(agent, 'reject'), note, caller.personId)
  await announceRejected(tx, caller, decided, 'REJECTED', note)
  audits(agent.id, ['status', 'statusNote'])
  return showAgent(decided)
})
