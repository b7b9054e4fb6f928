import type { Agent, OwnAgent } from '#contract/chat/agents.ts'
import type { AgentRow } from './agent.access.ts'

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
