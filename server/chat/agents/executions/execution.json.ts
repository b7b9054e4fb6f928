import type { AgentExecution } from '#contract/chat/agents.ts'
import type { ExecutionRow } from './execution.sql.ts'

export function showExecution(row: ExecutionRow): AgentExecution {
  return {
    id: row.id,
    agentId: row.agent_id,
    taskId: row.task_id,
    status: row.status,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    costMicros: row.cost_micros,
    summary: row.summary,
    messageId: row.message_id,
    recordedAt: row.recorded_at,
  }
}
