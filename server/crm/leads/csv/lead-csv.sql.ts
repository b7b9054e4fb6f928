import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { allLeadColumns, type LeadRow } from '../lead.row.ts'

// ordered by primary key, so that concurrent changes neither repeat nor skip a lead
const selectAfter = sql<LeadRow, { after: string; limit: number }>(
  `select ${allLeadColumns} from lead l where l.organization_id = $organization and l.id > $after
    order by l.id limit $limit`,
)

/** Leads after an id in the order of ids, including erased ones. */
export function leadsAfter(db: Db, after: string, limit: number): Promise<LeadRow[]> {
  return db.rows(selectAfter, { after, limit })
}
