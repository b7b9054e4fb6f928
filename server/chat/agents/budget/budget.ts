import { type AgentBudget, readAgentBudget, setAgentBudget } from '#contract/chat/agents.ts'
import { readOwnAgentBudget } from '#contract/chat/application-agents.ts'
import { command, query } from '#platform/http/operation.ts'
import { applicationFor } from '#server/integrations/index.ts'
import { announceHeld } from './agent-budget.events.ts'
import { isOver } from './agent-budget.rules.ts'
import { lockMonth, type Standing, setCap, standingOf } from './agent-budget.sql.ts'

export const read = query(readAgentBudget, async ({ db, params: { applicationId } }) => {
  await applicationFor(db, applicationId)
  return showBudget(applicationId, await standingOf(db, applicationId))
})

export const readOwn = query(readOwnAgentBudget, async ({ db, caller }) =>
  showBudget(caller.applicationId!, await standingOf(db, caller.applicationId!)),
)

/** A cap holds and lets go of agents at once: whether one may work is told by reading it. */
export const set = command(setAgentBudget, async ({ tx, caller, params, body, audit }) => {
  const { id } = await applicationFor(tx, params.applicationId)
  const { month: thisMonth } = await standingOf(tx, id)
  const [month, before] = await Promise.all([
    lockMonth(tx, id, thisMonth),
    standingOf(tx, id),
    setCap(tx, id, body.capMicros),
  ])
  const after = { ...before, cap_micros: body.capMicros }
  if (isOver(month.spent_micros, before.cap_micros) !== isOver(month.spent_micros, after.cap_micros))
    await announceHeld(tx, caller, id, month, after.cap_micros)
  audit(id, before.cap_micros === after.cap_micros ? [] : ['capMicros'])
  return showBudget(id, after)
})

function showBudget(
  applicationId: string,
  { cap_micros, month, spent_micros, executions }: Standing,
): AgentBudget {
  return {
    applicationId,
    capMicros: cap_micros,
    month,
    spentMicros: spent_micros,
    executions,
    isExceeded: isOver(spent_micros, cap_micros),
  }
}
