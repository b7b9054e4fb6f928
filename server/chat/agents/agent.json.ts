import type { Agent, ListedAgent, OwnAgent } from '#contract/chat/agents.ts'
import type { Caller } from '#platform/http/caller.ts'
import { managesChannel } from '../channels/channel.access.ts'
import type { AgentRow } from './agent.access.ts'
import type { ListedAgentRow } from './agent-list.sql.ts'

export function showOwnAgent(row: AgentRow): OwnAgent {
  return {
    id: row.id,
    channelId: row.channel_id,
    name: row.name,
    description: row.description,
    purpose: row.purpose,
    status: row.status,
    statusReason: row.status_reason,
    statusNote: row.status_note,
    tasks: row.tasks,
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    updatedAt: row.updated_at,
  }
}

export function showAgent(row: AgentRow): Agent {
  return {
    ...showOwnAgent(row),
    application: { id: row.application_id, slug: row.application_slug, name: row.application_name },
    decidedBy: row.decided_by === null ? null : { id: row.decided_by, displayName: row.decider_name ?? '' },
  }
}

/** An agent with what a decision needs. The budget is for those who may read budgets (AGT-12). */
export function showListedAgent(caller: Caller, row: ListedAgentRow): ListedAgent {
  const { cap_micros: capMicros, spent_micros: spentMicros, executions } = row
  return {
    ...showAgent(row),
    channel: { id: row.channel_id, name: row.channel_name },
    mayDecide:
      row.archived_at === null &&
      managesChannel(caller, row) &&
      caller.permissions.has('CHAT_APPLICATIONS_MANAGE'),
    budget: caller.permissions.has('INTEGRATIONS_MANAGE') ? { capMicros, spentMicros, executions } : null,
  }
}
