import type { OpenAgentStatus } from '#contract/chat/agents.ts'
import type { Db } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type AgentWithRoleRow, agentColumns, agentJoins, currentStatus } from './agent.access.ts'

/** An agent with its channel, and with the budget of its application in this month. */
export type ListedAgentRow = AgentWithRoleRow & {
  channel_name: string | null
  cap_micros: number | null
  spent_micros: number
  executions: number
}

// index chat_agent_live, which has at most limits.agentsPerApplication rows of each application
const selectOpen = withFilters<
  ListedAgentRow,
  {
    personId: string
    isAdministrator: boolean
    status: string | null
    before: string | null
    limit: number
  }
>(
  { status: `${currentStatus} = $status`, before: 'a.id < $before' },
  condition => `
  with page as materialized (
    select a.id, c.name as channel_name, c.kind, c.archived_at, m.role
    from chat_agent a
    join chat_channel c on c.organization_id = $organization and c.id = a.channel_id
    left join chat_member m on m.organization_id = $organization and m.channel_id = a.channel_id
      and m.person_id = $personId
    ${agentJoins}
    where a.organization_id = $organization and a.status in ('PENDING_APPROVAL', 'ACTIVE', 'PAUSED')
      and ${currentStatus} <> 'REJECTED'
      and (m.person_id is not null or ($isAdministrator::boolean and c.kind in ('CHANNEL', 'GROUP')))
      and ${condition}
    order by a.id desc limit $limit)
  select ${agentColumns}, g.channel_name, g.kind, g.archived_at, g.role, b.cap_micros,
    coalesce(n.spent_micros, 0) as spent_micros, coalesce(n.executions, 0) as executions
  from page g join chat_agent a on a.organization_id = $organization and a.id = g.id ${agentJoins}
  order by a.id desc`,
)

/**
 * Agents that await approval, are active or are paused, newest first: of the channels of the caller, and for an
 * administrator of the organization of all channels and groups.
 */
export function openAgents(
  db: Db,
  { personId, isAdministrator }: Caller,
  status: OpenAgentStatus | null,
  before: string | null,
  limit: number,
): Promise<ListedAgentRow[]> {
  const args = { personId, isAdministrator, status, before, limit }
  return db.rows(selectOpen(args), args)
}
