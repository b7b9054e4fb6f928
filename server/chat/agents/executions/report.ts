import { reportAgentExecution } from '#contract/chat/application-agents.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { assertNotArchived } from '../../channels/channel.access.ts'
import { readableChannelFor } from '../../grants/grant.access.ts'
import { type AgentRow, lockOwnAgentShared } from '../agent.access.ts'
import { agentEventData } from '../agent.events.ts'
import { assertActive } from '../agent.rules.ts'
import { emitBudgetStateChanged } from '../budget/agent-budget.events.ts'
import { exceedsCap } from '../budget/agent-budget.rules.ts'
import { addSpending, budgetOf } from '../budget/agent-budget.sql.ts'
import { showExecution } from './execution.json.ts'
import { assertPlausibleTimes } from './execution.rules.ts'
import { checkTimes, type ExecutionRow, insertExecution, isPublishedMessage } from './execution.sql.ts'

type ExecutionReport = Input<typeof reportAgentExecution>['body']

export const report = command(reportAgentExecution, async ({ tx, caller, params, body, audit }) => {
  const agent = await lockOwnAgentShared(tx, caller, params.agentId)
  const { taskId, messageId } = body
  const [channel, isMessageValid, times] = await Promise.all([
    readableChannelFor(tx, caller, agent.channel_id),
    messageId === undefined || isPublishedMessage(tx, messageId, agent.channel_id, agent.application_id),
    checkTimes(tx, agent.id, body.startedAt, body.finishedAt),
  ])
  if (taskId !== undefined && !agent.tasks.some(({ id }) => id === taskId)) fail('AGENT_TASK_NOT_FOUND')
  if (!isMessageValid) fail('MESSAGE_NOT_FOUND')
  assertPlausibleTimes(times)
  assertNotArchived(channel)
  assertActive(agent)
  const execution = await recordExecution(tx, caller, agent, body, times.month)
  audit(agent.id)
  return showExecution(execution)
})

/**
 * Stores the execution, adds its cost to the month in which it ended and emits the events. Refuses AGENT_NOT_ACTIVE if
 * concurrent reports have exceeded the cap.
 */
async function recordExecution(
  tx: Tx,
  caller: Caller,
  agent: AgentRow,
  body: ExecutionReport,
  finishedMonth: string,
): Promise<ExecutionRow> {
  const { costMicros: cost } = body
  const row = {
    id: newId(),
    agent_id: agent.id,
    task_id: body.taskId ?? null,
    status: body.status,
    started_at: body.startedAt,
    finished_at: body.finishedAt,
    cost_micros: cost,
    summary: body.summary?.trim() || null,
    message_id: body.messageId ?? null,
  }
  const [month, budget, execution] = await Promise.all([
    addSpending(tx, agent.application_id, finishedMonth, cost),
    budgetOf(tx, agent.application_id),
    insertExecution(tx, agent.application_id, row),
  ])
  const spentBefore = budget.spent_micros - (month.month === budget.month ? cost : 0)
  if (exceedsCap(spentBefore, budget.cap_micros)) fail('AGENT_NOT_ACTIVE')
  if (execution.status !== 'SKIPPED') await emitTaskExecuted(tx, caller, agent, execution)
  // a past month pauses nothing
  if (month.month >= budget.month && exceedsCap(month.spent_micros, budget.cap_micros))
    await emitBudgetStateChanged(tx, caller, agent.application_id, month, budget.cap_micros)
  return execution
}

async function emitTaskExecuted(
  tx: Tx,
  caller: Caller,
  agent: AgentRow,
  execution: ExecutionRow,
): Promise<void> {
  const { id: executionId, task_id: taskId, status, started_at, finished_at } = execution
  const times = { startedAt: started_at, finishedAt: finished_at }
  const data = { ...(await agentEventData(tx, agent)), taskId, executionId, status, ...times }
  emit(tx, caller, 'CHAT_AGENT_TASK_EXECUTED', data, { channelId: agent.channel_id })
}
