import type { Database } from '#platform/data/database.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { recordEvents } from '#platform/events/audit.ts'
import type { AgentRow } from './agent.access.ts'
import { announceRejected } from './agent.events.ts'

type Ended = Pick<AgentRow, 'id' | 'channel_id' | 'application_id' | 'name'>

// index chat_agent_expiring
const selectOver = crossTenantSql<{ organization_id: string; id: string }, [most: number]>(
  'housekeeping looks after every organization',
  `select a.organization_id, a.id from chat_agent a where a.status = 'PENDING_APPROVAL' and a.expires_at <= now()
   order by a.expires_at limit $1`,
)
const end = sql<Ended, [id: string]>(
  `update chat_agent a set status = 'REJECTED', status_reason = 'EXPIRED', updated_at = now()
   where a.organization_id = $1 and a.id = $2 and a.status = 'PENDING_APPROVAL' and a.expires_at <= now()
   returning a.id, a.channel_id, a.application_id, a.name`,
)

/**
 * Tells applications of up to `most` proposals that nobody decided on in time, each once however many workers do it.
 * Such a proposal reads as rejected before that. Returns how many it looked at. See the states of AGT-3.
 */
export async function endProposals(database: Database, most = 100): Promise<number> {
  const over = await database.wide.rows(selectOver, most)
  for (const { organization_id, id } of over) {
    await database.transact(
      organization_id,
      async tx => {
        const ended = await tx.first(end, id)
        if (ended) await announceRejected(tx, { personId: '' }, ended, 'EXPIRED', null)
      },
      recordEvents,
    )
  }
  return over.length
}
