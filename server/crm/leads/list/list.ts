import { listLeads as contract } from '#contract/crm/leads.ts'
import { type LeadStatus, leadStatuses, openStatuses } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { numberedPageOf, paginated } from '#platform/http/pagination.ts'
import { mayReadScoring, readableParts, showLead } from '../lead.json.ts'
import { notesReader } from '../notes.ts'
import { filterLeads, type LeadFilters } from './lead-filters.sql.ts'
import { listLeads } from './lead-list.sql.ts'

/** Lists leads, by default open ones (LEAD-36). */
export const list = query(contract, async ({ db, caller, query, setHeader, services }) => {
  const { orderBy = 'createdAt', order = 'desc' } = query
  // with ids, all of them are on the first page (CRM-12)
  const page = numberedPageOf(query.ids ? { limit: limits.pageLimit } : query)
  const filters = filtersOf(query)
  // the order and the filters would reveal the score
  const usesScoring =
    orderBy === 'score' ||
    [filters.temperature, filters.scoreFrom, filters.scoreTo].some(value => value !== undefined)
  if (usesScoring && !mayReadScoring(caller)) fail('INSUFFICIENT_SCOPE')
  const { limit, offset } = page
  const listQuery = { statuses: statusesOf(query), orderBy, order, limit, offset }
  const isFiltered = Object.values(filters).some(value => value !== undefined)
  const { leads, total } = await (isFiltered ? filterLeads(db, listQuery, filters) : listLeads(db, listQuery))
  const parts = readableParts({ caller, query, setHeader })
  const notes = notesReader(services.cipher, caller.organizationId)
  return paginated(
    leads.map(lead => showLead(lead, parts, notes)),
    { ...page, total, pages: limits.leadPages },
  )
})

type Query = Input<typeof contract>['query']

function filtersOf(query: Query): LeadFilters {
  return {
    ids: query.ids,
    assigneeId: query.assigneeId,
    source: query.source,
    stage: query.stage,
    temperature: query.temperature,
    scoreFrom: query.scoreFrom,
    scoreTo: query.scoreTo,
    createdFrom: query.createdFrom,
    createdTo: query.createdTo,
    updatedFrom: query.updatedFrom,
    updatedTo: query.updatedTo,
  }
}

/** The default statuses apply only without both filters; with ids there are none. */
function statusesOf({ status, isConverted, ids }: Query): LeadStatus[] {
  if (status === undefined && isConverted === undefined) return [...(ids ? leadStatuses : openStatuses)]
  const requested = status ? leadStatuses.filter(one => status.includes(one)) : leadStatuses
  return requested.filter(one => isConverted === undefined || (one === 'WON') === isConverted)
}
