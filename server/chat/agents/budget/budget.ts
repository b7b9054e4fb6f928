import { type AgentBudget, readAgentBudget, setAgentBudget } from '#contract/chat/agents.ts'
import { readOwnAgentBudget } from '#contract/chat/application-agents.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { command, query } from '#platform/http/operation.ts'
import { applicationFor } from '#server/integrations/index.ts'
import { emitBudgetStateChanged } from './agent-budget.events.ts'
import { exceedsCap } from './agent-budget.rules.ts'
import { type AgentBudgetRow, budgetOf, lockMonth, setCap } from './agent-budget.sql.ts'

export const read = query(readAgentBudget, async ({ db, params: { applicationId } }) => {
  await applicationFor(db, applicationId)
  return showBudget(applicationId, await budgetOf(db, applicationId))
})

export const readOwn = query(readOwnAgentBudget, async ({ db, caller }) =>
  showBudget(applicationOf(caller), await budgetOf(db, applicationOf(caller))),
)

/** Needs no change of the agents: reads compute whether the cap pauses them. */
export const set = command(setAgentBudget, async ({ tx, caller, params, body, audit }) => {
  const { id } = await applicationFor(tx, params.applicationId)
  const { month: currentMonth } = await budgetOf(tx, id)
  const [month, before] = await tx.inOrder(
    () => lockMonth(tx, id, currentMonth),
    () => budgetOf(tx, id),
    () => setCap(tx, id, body.capMicros),
  )
  const after = { ...before, cap_micros: body.capMicros }
  if (exceedsCap(month.spent_micros, before.cap_micros) !== exceedsCap(month.spent_micros, after.cap_micros))
    await emitBudgetStateChanged(tx, caller, id, month, after.cap_micros)
  audit(id, before.cap_micros === after.cap_micros ? [] : ['capMicros'])
  return showBudget(id, after)
})

function showBudget(
  applicationId: string,
  { cap_micros, month, spent_micros, executions }: AgentBudgetRow,
): AgentBudget {
  return {
    applicationId,
    capMicros: cap_micros,
    month,
    spentMicros: spent_micros,
    executions,
    isExceeded: exceedsCap(spent_micros, cap_micros),
  }
}
