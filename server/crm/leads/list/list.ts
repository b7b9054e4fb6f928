import { listLeads as contract } from '#contract/crm/leads.ts'
import { type LeadStatus, leadStatuses, openStatuses } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { paginated } from '#platform/http/pagination.ts'
import { mayReadScoring, readableParts, showLead } from '../lead.json.ts'
import { notesReader } from '../notes.ts'
import { filterLeads } from './lead-filters.sql.ts'
import { listLeads } from './lead-list.sql.ts'

/** Lists leads, by default open ones (LEAD-36). */
export const list = query(contract, async ({ db, caller, query, setHeader, services }) => {
  const { page = 1, limit = limits.pageLimitDefault, orderBy = 'createdAt', order = 'desc' } = query
  // the order would reveal the score
  if (orderBy === 'score' && !mayReadScoring(caller)) fail('INSUFFICIENT_SCOPE')
  const { assigneeId, source, createdFrom, createdTo, updatedFrom, updatedTo } = query
  const filters = { assigneeId, source, createdFrom, createdTo, updatedFrom, updatedTo }
  const listQuery = { statuses: statusesOf(query), orderBy, order, limit, offset: (page - 1) * limit }
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  const { leads, total } = await (isFiltered ? filterLeads(db, listQuery, filters) : listLeads(db, listQuery))
  const parts = readableParts({ caller, query, setHeader })
  const notes = notesReader(services.cipher, caller.organizationId)
  return paginated(
    leads.map(lead => showLead(lead, parts, notes)),
    { page, limit, total, pages: limits.leadPages },
  )
})

/** The default statuses apply only without both filters. */
function statusesOf({
  status,
  isConverted,
}: {
  status?: readonly LeadStatus[]
  isConverted?: boolean
}): LeadStatus[] {
  if (status === undefined && isConverted === undefined) return [...openStatuses]
  const requested = status ? leadStatuses.filter(one => status.includes(one)) : leadStatuses
  return requested.filter(one => isConverted === undefined || (one === 'WON') === isConverted)
}
