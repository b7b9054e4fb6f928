import type { ExecutionStatus } from '#contract/chat/agents.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'

export type ExecutionRow = {
  id: string
  agent_id: string
  task_id: string | null
  status: ExecutionStatus
  started_at: string
  finished_at: string
  cost_micros: number
  summary: string | null
  message_id: string | null
  recorded_at: string
}

const columns = `x.id, x.agent_id, x.task_id, x.status, x.started_at, x.finished_at, x.cost_micros, x.summary, x.message_id,
  x.recorded_at`

/** How the reported times compare with the clock of the database. */
export type ExecutionTimes = {
  /** The end precedes the start. */
  is_reversed: boolean
  is_ahead: boolean
  /** The start precedes the approval of the agent. */
  is_early: boolean
  /** The calendar month of the end in UTC: `2026-11`. */
  month: string
}

const minutes = `interval '${limits.agentClockMinutes} minutes'`
const selectTimes = sql<ExecutionTimes, { agentId: string; startedAt: string; finishedAt: string }>(
  `select $finishedAt::timestamptz(3) < $startedAt::timestamptz(3) as is_reversed,
     $finishedAt::timestamptz(3) > now() + ${minutes} as is_ahead,
     $startedAt::timestamptz(3) < a.decided_at - ${minutes} as is_early,
     to_char($finishedAt::timestamptz(3) at time zone 'UTC', 'YYYY-MM') as month
   from chat_agent a where a.organization_id = $organization and a.id = $agentId`,
)
const selectPublishedMessage = sql<{ id: string }, { id: string; channelId: string; applicationId: string }>(
  `select m.id from chat_message m where m.organization_id = $organization and m.id = $id
    and m.channel_id = $channelId
     and m.author_kind = 'APP' and m.author_id = $applicationId and m.visibility = 'VISIBLE'
       and m.deleted_at is null`,
)
const insert = sql<
  ExecutionRow,
  {
    id: string
    agentId: string
    taskId: string | null
    applicationId: string
    status: ExecutionStatus
    startedAt: string
    finishedAt: string
    costMicros: number
    summary: string | null
    messageId: string | null
  }
>(
  `insert into chat_agent_execution as x (organization_id, id, agent_id, task_id, application_id, status, started_at,
     finished_at, cost_micros, summary, message_id)
   values ($organization, $id, $agentId, $taskId, $applicationId, $status, $startedAt, $finishedAt,
     $costMicros, $summary, $messageId) returning ${columns}`,
)
// index chat_agent_execution_agent
const page = withFilters<ExecutionRow, { agentId: string; before: string | null; limit: number }>(
  { before: 'x.id < $before' },
  condition => `select ${columns} from chat_agent_execution x
    where x.organization_id = $organization and x.agent_id = $agentId and ${condition}
    order by x.id desc limit $limit`,
)

export function checkTimes(
  tx: Tx,
  agentId: string,
  startedAt: string,
  finishedAt: string,
): Promise<ExecutionTimes> {
  return tx.one(selectTimes, { agentId, startedAt, finishedAt })
}

/** True for a visible message that the application published in the channel. */
export async function isPublishedMessage(
  tx: Tx,
  id: string,
  channelId: string,
  applicationId: string,
): Promise<boolean> {
  return (await tx.first(selectPublishedMessage, { id, channelId, applicationId })) !== undefined
}

export async function insertExecution(
  tx: Tx,
  applicationId: string,
  row: Omit<ExecutionRow, 'recorded_at'>,
): Promise<ExecutionRow> {
  return tx.one(insert, {
    id: row.id,
    agentId: row.agent_id,
    taskId: row.task_id,
    applicationId,
    status: row.status,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    costMicros: row.cost_micros,
    summary: row.summary,
    messageId: row.message_id,
  })
}

/** Newest first. */
export function executionsOf(
  db: Db,
  agentId: string,
  before: string | null,
  limit: number,
): Promise<ExecutionRow[]> {
  const args = { agentId, before, limit }
  return db.rows(page(args), args)
}
