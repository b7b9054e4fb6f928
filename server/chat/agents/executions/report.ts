import { reportAgentExecution } from '#contract/chat/application-agents.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/database.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { assertNotArchived } from '../../channels/channel.access.ts'
import { readableChannelFor } from '../../grants/grant.access.ts'
import { type AgentRow, holdOwnAgent } from '../agent.access.ts'
import { noticeOf } from '../agent.events.ts'
import { assertActive } from '../agent.rules.ts'
import { announceHeld } from '../budget/agent-budget.events.ts'
import { isOver } from '../budget/agent-budget.rules.ts'
import { addSpent, standingOf } from '../budget/agent-budget.sql.ts'
import { showExecution } from './execution.json.ts'
import { assertPossible } from './execution.rules.ts'
import { type ExecutionRow, insertExecution, isOwnMessage, timesOf } from './execution.sql.ts'

type Reported = Input<typeof reportAgentExecution>['body']

/** An application says what its agent did and what it cost; the service runs nothing itself. */
export const report = command(reportAgentExecution, async ({ tx, caller, params, body, audit }) => {
  const agent = await holdOwnAgent(tx, caller, params.agentId)
  const { taskId, messageId } = body
  const [channel, isMessage, times] = await Promise.all([
    readableChannelFor(tx, caller, agent.channel_id),
    messageId === undefined || isOwnMessage(tx, messageId, agent.channel_id, agent.application_id),
    timesOf(tx, agent.id, body.startedAt, body.finishedAt),
  ])
  if (taskId !== undefined && !agent.tasks.some(({ id }) => id === taskId)) fail('AGENT_TASK_NOT_FOUND')
  if (!isMessage) fail('MESSAGE_NOT_FOUND')
  assertPossible(times)
  assertNotArchived(channel)
  assertActive(agent)
  const execution = await recorded(tx, caller, agent, body, times.month)
  audit(agent.id)
  return showExecution(execution)
})

/**
 * Writes the execution, counts its cost in the month in which it ended, and says what comes of both. Refuses
 * AGENT_NOT_ACTIVE when others have spent too much meanwhile.
 */
async function recorded(
  tx: Tx,
  caller: Caller,
  agent: AgentRow,
  body: Reported,
  endedIn: string,
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
  const [month, now, execution] = await Promise.all([
    addSpent(tx, agent.application_id, endedIn, cost),
    standingOf(tx, agent.application_id),
    insertExecution(tx, agent.application_id, row),
  ])
  const before = now.spent_micros - (month.month === now.month ? cost : 0)
  if (isOver(before, now.cap_micros)) fail('AGENT_NOT_ACTIVE')
  if (execution.status !== 'SKIPPED') await announceExecuted(tx, caller, agent, execution)
  // of a month that is over nothing is held any more
  if (month.month >= now.month && isOver(month.spent_micros, now.cap_micros))
    await announceHeld(tx, caller, agent.application_id, month, now.cap_micros)
  return execution
}

async function announceExecuted(
  tx: Tx,
  caller: Caller,
  agent: AgentRow,
  execution: ExecutionRow,
): Promise<void> {
  const { id: executionId, task_id: taskId, status, started_at, finished_at } = execution
  const times = { startedAt: started_at, finishedAt: finished_at }
  const data = { ...(await noticeOf(tx, agent)), taskId, executionId, status, ...times }
  emit(tx, caller, 'CHAT_AGENT_TASK_EXECUTED', data, { channelId: agent.channel_id })
}
