import type { Tx } from '#platform/data/database.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { emitAgentChanged } from '../agent.events.ts'
import { exceedsCap, isHigherThanReported } from './agent-budget.rules.ts'
import { activeAgents, type BudgetMonthRow, setReportedCap } from './agent-budget.sql.ts'

/**
 * Says that the agents of an application are paused or go on by its cap: on the stream for each of them, and to the
 * application that the cap is exceeded, unless it knows. The caller holds the row of the month.
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
  if (!exceedsCap(spentMicros, capMicros) || !isHigherThanReported(capMicros, notified_cap_micros)) return
  await setReportedCap(tx, applicationId, month, capMicros)
  const data = { month, capMicros, spentMicros, agentIds: agents.map(({ id }) => id) }
  emit(tx, actor, 'CHAT_AGENT_BUDGET_EXCEEDED', data, { applicationId })
}
