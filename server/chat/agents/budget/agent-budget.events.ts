import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { emitAgentChanged } from '../agent.events.ts'
import { exceedsCap, isHigherThanNotified } from './agent-budget.rules.ts'
import { activeAgents, type BudgetMonthRow, setNotifiedCap } from './agent-budget.sql.ts'

/**
 * The cap has paused or resumed the agents of an application: emits a stream event for each agent and, when a cap is
 * exceeded that the application was not notified of, CHAT_AGENT_BUDGET_EXCEEDED. The caller holds the row of the month.
 */
export async function emitBudgetStateChanged(
  tx: Tx,
  actor: EventActor,
  applicationId: string,
  { month, spent_micros: spentMicros, notified_cap_micros }: BudgetMonthRow,
  capMicros: number | null,
): Promise<void> {
  const agents = await activeAgents(tx, applicationId)
  for (const agent of agents) emitAgentChanged(tx, actor, agent)
  if (!exceedsCap(spentMicros, capMicros) || !isHigherThanNotified(capMicros, notified_cap_micros)) return
  await setNotifiedCap(tx, applicationId, month, capMicros)
  const data = { month, capMicros, spentMicros, agentIds: agents.map(({ id }) => id) }
  emit(tx, actor, 'CHAT_AGENT_BUDGET_EXCEEDED', data, { applicationId })
}
