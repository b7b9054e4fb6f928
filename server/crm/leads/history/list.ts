import { listLeadHistory } from '#contract/crm/team.ts'
import { query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { leadFor } from '../lead.access.ts'
import { historyOf } from './lead-history.sql.ts'

/** Lists the history of a lead: authors and field names, without values. */
export const list = query(listLeadHistory, async ({ db, params: { id }, query }) => {
  const { limit, offset } = pageOf(query)
  const [history] = await Promise.all([historyOf(db, id, limit, offset), leadFor(db, id)])
  return { ...history, limit, offset }
})
