import type { Database } from '#platform/data/database.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { recordEvents } from '#platform/events/audit.ts'
import type { AgentRow } from './agent.access.ts'
import { emitAgentRejected } from './agent.events.ts'

type ExpiredProposal = Pick<AgentRow, 'id' | 'channel_id' | 'application_id' | 'name'>

// index chat_agent_expiring
const selectExpired = crossTenantSql<{ organization_id: string; id: string }, { limit: number }>(
  'background job for all organizations',
  `select a.organization_id, a.id from chat_agent a where a.status = 'PENDING_APPROVAL' and a.expires_at <= now()
   order by a.expires_at limit $limit`,
)
const expire = sql<ExpiredProposal, { id: string }>(
  `update chat_agent a set status = 'REJECTED', status_reason = 'EXPIRED', updated_at = now()
   where a.organization_id = $organization and a.id = $id and a.status = 'PENDING_APPROVAL'
     and a.expires_at <= now()
   returning a.id, a.channel_id, a.application_id, a.name`,
)

/**
 * Rejects up to `limit` expired proposals and emits one event for each, even when several workers run at once. Reads
 * show an expired proposal as rejected before this happens. Returns the number of expired proposals found (AGT-3).
 */
export async function expireProposals(database: Database, limit = 100): Promise<number> {
  const expired = await database.crossTenant.rows(selectExpired, { limit })
  for (const { organization_id, id } of expired) {
    await database.transact(
      organization_id,
      async tx => {
        const agent = await tx.first(expire, { id })
        if (agent) await emitAgentRejected(tx, { personId: '' }, agent, 'EXPIRED', null)
      },
      recordEvents,
    )
  }
  return expired.length
}
