import type { AgentStatus } from '#contract/chat/agents.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { organizationLock } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { type AgentRow, agentColumns, agentJoins } from './agent.access.ts'
import type { AgentTaskInput, StoredAgentState } from './agent.rules.ts'

const selectAgent = sql<AgentRow, { id: string }>(
  `select ${agentColumns} from chat_agent a ${agentJoins} where a.organization_id = $organization and a.id = $id`,
)

/** The agent as the transaction sees it after its changes. */
function reloadAgent(tx: Tx, id: string): Promise<AgentRow> {
  return tx.one(selectAgent, { id })
}

const lockProposals = sql<never, { applicationId: string }>(
  `select ${organizationLock('agents', '$applicationId')}`,
)
// index chat_agent_live
const insert = sql<
  never,
  {
    id: string
    channelId: string
    applicationId: string
    name: string
    description: string | null
    purpose: string
  }
>(`
  insert into chat_agent (organization_id, id, channel_id, application_id, name, description, purpose, status, proposed_at,
    expires_at)
  select $organization, $id, $channelId, $applicationId, $name, $description, $purpose, 'PENDING_APPROVAL',
    now(), now() + interval '${limits.agentProposalDays} days'
  where ${limits.agentsPerApplication} > (
    select count(*) from chat_agent a where a.organization_id = $organization and a.application_id = $applicationId
      and a.status in ('PENDING_APPROVAL', 'ACTIVE', 'PAUSED')
      and not (a.status = 'PENDING_APPROVAL' and a.expires_at <= now()))`)
const insertTasks = sql<
  never,
  { agentId: string; ids: string[]; names: string[]; schedules: string[]; timeZones: string[] }
>(`
  insert into chat_agent_task (organization_id, agent_id, id, name, schedule, time_zone)
  select $organization, a.id, t.id, t.name, t.schedule, t.time_zone
  from unnest($ids::text[], $names::text[], $schedules::text[], $timeZones::text[]) as t (id, name, schedule, time_zone)
  join chat_agent a on a.organization_id = $organization and a.id = $agentId`)

type NewAgent = Pick<AgentRow, 'id' | 'channel_id' | 'application_id' | 'name' | 'description' | 'purpose'>

/** Adds a proposal with its tasks. Undefined if the application has reached the limit of agents. */
export async function insertAgent(
  tx: Tx,
  { id, channel_id, application_id, name, description, purpose }: NewAgent,
  tasks: readonly AgentTaskInput[],
): Promise<AgentRow | undefined> {
  // tasks are read in the order of their ids
  const ids = tasks.map(newId).sort()
  const fields = (['name', 'schedule', 'timeZone'] as const).map(field => tasks.map(task => task[field]))
  const [names, schedules, timeZones] = fields as [string[], string[], string[]]
  const [, , , row] = await tx.inOrder(
    () => tx.first(lockProposals, { applicationId: application_id }),
    () =>
      tx.run(insert, {
        id,
        channelId: channel_id,
        applicationId: application_id,
        name,
        description,
        purpose,
      }),
    () => tx.run(insertTasks, { agentId: id, ids, names, schedules, timeZones }),
    () => tx.first(selectAgent, { id }),
  )
  return row
}

const updateDecision = sql<
  never,
  { id: string; status: AgentStatus; reason: string | null; note: string | null; personId: string }
>(`
  update chat_agent a set status = $status, status_reason = $reason, status_note = $note,
    decided_by = $personId, decided_at = now(), updated_at = now()
  where a.organization_id = $organization and a.id = $id`)
const updateState = sql<never, { id: string; status: AgentStatus; reason: string | null }>(`
  update chat_agent a set status = $status, status_reason = $reason, updated_at = now()
  where a.organization_id = $organization and a.id = $id`)

/** Stores the decision on a locked proposal. */
export async function setDecision(
  tx: Tx,
  id: string,
  { status, reason }: StoredAgentState,
  note: string | null,
  personId: string,
): Promise<AgentRow> {
  const [, row] = await Promise.all([
    tx.run(updateDecision, { id, status, reason, note, personId }),
    reloadAgent(tx, id),
  ])
  return row
}

/** Stores the new state of a locked agent. */
export async function setState(tx: Tx, id: string, { status, reason }: StoredAgentState): Promise<AgentRow> {
  const [, row] = await Promise.all([tx.run(updateState, { id, status, reason }), reloadAgent(tx, id)])
  return row
}

const pageBy = (ownerColumn: string) =>
  withFilters<AgentRow, { owner: string; before: string | null; limit: number }>(
    { before: 'a.id < $before' },
    condition => `select ${agentColumns} from chat_agent a ${agentJoins}
      where a.organization_id = $organization and ${ownerColumn} = $owner and ${condition}
      order by a.id desc limit $limit`,
  )
// index chat_agent_channel
const pageInChannel = pageBy('a.channel_id')
// index chat_agent_application
const pageOfApplication = pageBy('a.application_id')

/** Newest first. */
export function agentsOfChannel(
  db: Db,
  channelId: string,
  before: string | null,
  limit: number,
): Promise<AgentRow[]> {
  const args = { owner: channelId, before, limit }
  return db.rows(pageInChannel(args), args)
}

/** Newest first. */
export function agentsOfApplication(
  db: Db,
  applicationId: string,
  before: string | null,
  limit: number,
): Promise<AgentRow[]> {
  const args = { owner: applicationId, before, limit }
  return db.rows(pageOfApplication(args), args)
}
