import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { currentMonth } from '../agent.access.ts'

/** The cap and the spending of the current month. */
export type AgentBudgetRow = {
  cap_micros: number | null
  /** `2026-11`, in UTC. */
  month: string
  spent_micros: number
  executions: number
}
/** A month of an application after a change. */
export type BudgetMonthRow = {
  month: string
  spent_micros: number
  /** The highest cap of which the application was notified in that month. */
  notified_cap_micros: number | null
}

const selectBudget = sql<AgentBudgetRow, { applicationId: string }>(
  `select b.cap_micros, ${currentMonth} as month, coalesce(n.spent_micros, 0) as spent_micros,
     coalesce(n.executions, 0) as executions
   from application p
   left join chat_agent_budget b on b.organization_id = $organization and b.application_id = p.id
   left join chat_agent_month n on n.organization_id = $organization and n.application_id = p.id
     and n.month = ${currentMonth}
   where p.organization_id = $organization and p.id = $applicationId`,
)
// every change of the spending or the cap locks the row of the month first
const upsertMonth = sql<
  BudgetMonthRow,
  { applicationId: string; month: string; costMicros: number; executions: number }
>(
  `insert into chat_agent_month as n (organization_id, application_id, month, spent_micros, executions)
   values ($organization, $applicationId, $month, $costMicros, $executions)
   on conflict (organization_id, application_id, month) do update
     set spent_micros = n.spent_micros + excluded.spent_micros, executions = n.executions + excluded.executions
   returning n.month, n.spent_micros, n.notified_cap_micros`,
)
const updateNotifiedCap = sql<never, { applicationId: string; month: string; capMicros: number }>(
  `update chat_agent_month n set notified_cap_micros = $capMicros
   where n.organization_id = $organization and n.application_id = $applicationId and n.month = $month`,
)
const upsertCap = sql<never, { applicationId: string; capMicros: number | null }>(
  `insert into chat_agent_budget as b (organization_id, application_id, cap_micros)
    values ($organization, $applicationId, $capMicros)
   on conflict (organization_id, application_id) do update set cap_micros = excluded.cap_micros`,
)
// index chat_agent_live
const selectActive = sql<{ id: string; channel_id: string }, { applicationId: string }>(
  `select a.id, a.channel_id from chat_agent a
   where a.organization_id = $organization and a.application_id = $applicationId and a.status = 'ACTIVE'
   order by a.id`,
)

/** Exact inside a transaction that holds the row of the month. */
export function budgetOf(db: Db, applicationId: string): Promise<AgentBudgetRow> {
  return db.one(selectBudget, { applicationId })
}

/** Adds an execution to its month and locks the row of that month. */
export function addSpending(
  tx: Tx,
  applicationId: string,
  month: string,
  costMicros: number,
): Promise<BudgetMonthRow> {
  return tx.one(upsertMonth, { applicationId, month, costMicros, executions: 1 })
}

/** Locks the row of a month without adding anything. */
export function lockMonth(tx: Tx, applicationId: string, month: string): Promise<BudgetMonthRow> {
  return tx.one(upsertMonth, { applicationId, month, costMicros: 0, executions: 0 })
}

/** Records that the application was notified of an exceeded cap. */
export async function setNotifiedCap(
  tx: Tx,
  applicationId: string,
  month: string,
  capMicros: number,
): Promise<void> {
  await tx.run(updateNotifiedCap, { applicationId, month, capMicros })
}

export async function setCap(tx: Tx, applicationId: string, capMicros: number | null): Promise<void> {
  await tx.run(upsertCap, { applicationId, capMicros })
}

/** The agents that a cap pauses and resumes. */
export function activeAgents(tx: Tx, applicationId: string): Promise<{ id: string; channel_id: string }[]> {
  return tx.rows(selectActive, { applicationId })
}
