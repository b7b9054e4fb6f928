import { withdrawAgent } from '#contract/chat/application-agents.ts'
import { changes } from '#platform/serve.ts'
import { lockOwnAgent } from './access.ts'
import { announceChanged } from './announce.ts'
import { hasEnded } from './rules.ts'
import { showOwnAgent } from './show.ts'
import { setState } from './store.ts'

/** An application takes back what it proposed. What has ended stays as it is. */
export const withdraw = changes(withdrawAgent, async ({ tx, caller, params, audits }) => {
  const agent = await lockOwnAgent(tx, caller, params.agentId)
  if (hasEnded(agent)) return showOwnAgent(agent)
  const withdrawn = await setState(tx, agent.id, { status: 'WITHDRAWN', reason: null })
  announceChanged(tx, caller, withdrawn)
  audits(agent.id, ['status'])
  return showOwnAgent(withdrawn)
})
