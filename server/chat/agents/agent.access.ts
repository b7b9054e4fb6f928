import type { AgentReason, AgentStatus, OwnAgent } from '#contract/chat/agents.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import {
  assertManagesChannel,
  assertNotArchived,
  isManageable,
  type OwnChannelRow,
} from '../channels/channel.access.ts'

/** The current state of an agent: an expired proposal is REJECTED, an agent over its budget is PAUSED. */
export type AgentRow = {
  id: string
  channel_id: string
  application_id: string
  name: string
  description: string | null
  purpose: string
  status: AgentStatus
  status_reason: AgentReason | null
  status_note: string | null
  proposed_at: string
  expires_at: string
  decided_by: string | null
  decider_name: string | null
  decided_at: string | null
  updated_at: string
  application_slug: string
  application_name: string
  /** The agents of the application exceed their cap for this month. */
  is_over_budget: boolean
  tasks: OwnAgent['tasks']
}
/** An agent with its channel and the role of the caller there. */
export type AgentWithRoleRow = AgentRow & Pick<OwnChannelRow, 'kind' | 'archived_at' | 'role'>

const isExpired = `a.status = 'PENDING_APPROVAL' and a.expires_at <= now()`
const isOverBudget = '(n.spent_micros > b.cap_micros) is true'
const isPausedByBudget = `a.status = 'ACTIVE' and ${isOverBudget}`
/** The current status of an agent `a` with `agentJoins`. */
export const currentStatus = `case when ${isExpired} then 'REJECTED' when ${isPausedByBudget} then 'PAUSED' else a.status end`
export const agentColumns = `a.id, a.channel_id, a.application_id, a.name, a.description, a.purpose,
  ${currentStatus} as status,
  case when ${isExpired} then 'EXPIRED' when ${isPausedByBudget} then 'BUDGET' else a.status_reason end as status_reason,
  a.status_note, a.proposed_at, a.expires_at, a.decided_by, d.name as decider_name, a.decided_at, a.updated_at,
  p.slug as application_slug, p.name as application_name, ${isOverBudget} as is_over_budget,
  (select coalesce(json_agg(json_build_object(
      'id', t.id, 'name', t.name, 'schedule', t.schedule, 'timeZone', t.time_zone) order by t.id), '[]')
    from chat_agent_task t where t.organization_id = $organization and t.agent_id = a.id) as tasks`
/** The current calendar month in UTC: `2026-11`. */
export const currentMonth = `to_char(now() at time zone 'UTC', 'YYYY-MM')`
/** Joins of an agent `a`, for `agentColumns`. */
export const agentJoins = `join application p on p.organization_id = $organization and p.id = a.application_id
  left join membership d on d.organization_id = $organization and d.person_id = a.decided_by
  left join chat_agent_budget b on b.organization_id = $organization and b.application_id = a.application_id
  left join chat_agent_month n on n.organization_id = $organization and n.application_id = a.application_id and n.month = ${currentMonth}`

const selectWithRole = sql<AgentWithRoleRow, { id: string; personId: string }>(
  `select ${agentColumns}, c.kind, c.archived_at, m.role
   from chat_agent a
   join chat_channel c on c.organization_id = $organization and c.id = a.channel_id
   left join chat_member m on m.organization_id = $organization and m.channel_id = a.channel_id and m.person_id = $personId
   ${agentJoins} where a.organization_id = $organization and a.id = $id`,
)
const selectOwn = sql<AgentRow, { id: string; applicationId: string }>(
  `select ${agentColumns} from chat_agent a ${agentJoins}
   where a.organization_id = $organization and a.id = $id and a.application_id = $applicationId`,
)
// a separate statement before the read: a single one would show the joined rows as they were before it waited
const lockRow = sql<never, { id: string }>(
  'select from chat_agent a where a.organization_id = $organization and a.id = $id for no key update',
)
// concurrent reports of one agent do not block each other
const lockRowShared = sql<never, { id: string }>(
  'select from chat_agent a where a.organization_id = $organization and a.id = $id for share',
)

/**
 * An agent that the caller may see: as a member of its channel, or as an administrator of the organization if the
 * channel can be managed. Refuses AGENT_NOT_FOUND.
 */
export async function agentFor(db: Db, caller: Caller, id: string): Promise<AgentWithRoleRow> {
  return assertVisible(caller, await db.first(selectWithRole, { id, personId: caller.personId }))
}

/**
 * Locks an agent for a caller who manages its channel, which must not be archived. Refuses AGENT_NOT_FOUND,
 * CHANNEL_ROLE_REQUIRED, CHANNEL_ARCHIVED.
 */
export async function lockManagedAgent(tx: Tx, caller: Caller, id: string): Promise<AgentWithRoleRow> {
  const [, agent] = await tx.inOrder(
    () => tx.first(lockRow, { id }),
    () => agentFor(tx, caller, id),
  )
  assertManagesChannel(caller, agent, 'CHAT_APPLICATIONS_MANAGE')
  assertNotArchived(agent)
  return agent
}

/** An agent of the calling application, with or without access to its channel. Refuses AGENT_NOT_FOUND. */
export async function ownAgentFor(db: Db, caller: Caller, id: string): Promise<AgentRow> {
  return (
    (await db.first(selectOwn, { id, applicationId: caller.applicationId ?? '' })) ?? fail('AGENT_NOT_FOUND')
  )
}

/** Locks an agent of the calling application. */
export async function lockOwnAgent(tx: Tx, caller: Caller, id: string): Promise<AgentRow> {
  const [, agent] = await tx.inOrder(
    () => tx.first(lockRow, { id }),
    () => ownAgentFor(tx, caller, id),
  )
  return agent
}

/** Like lockOwnAgent, with a shared lock: several transactions may report at once, and none may change the agent. */
export async function lockOwnAgentShared(tx: Tx, caller: Caller, id: string): Promise<AgentRow> {
  const [, agent] = await tx.inOrder(
    () => tx.first(lockRowShared, { id }),
    () => ownAgentFor(tx, caller, id),
  )
  return agent
}

function assertVisible(caller: Caller, row: AgentWithRoleRow | undefined): AgentWithRoleRow {
  if (row && (row.role || (caller.isAdministrator && isManageable(row)))) return row
  fail('AGENT_NOT_FOUND')
}
