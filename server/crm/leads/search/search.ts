import { searchLeads } from '#contract/crm/leads.ts'
import { type LeadStatus, leadStatuses, openStatuses } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { numberedPageOf, paginated } from '#platform/http/pagination.ts'
import { isTooShort, termsOf } from '../../search-terms.ts'
import { readableParts, showLead } from '../lead.json.ts'
import { notesReader } from '../notes.ts'
import { findLeads, findLeadsOfStatuses } from './lead-search.sql.ts'

/** Searches leads by name, company and e-mail (LEAD-39 to LEAD-41). */
export const search = query(searchLeads, async ({ db, caller, query, setHeader, services }) => {
  const { q, status } = query
  const page = numberedPageOf(query)
  if (isTooShort(q))
    fail('VALIDATION_ERROR', {
      details: [{ path: 'q', code: 'minLength', message: `must have ${limits.leadSearchMin} characters` }],
    })
  const find = status ? findLeadsOfStatuses : findLeads
  const { leads, total } = await find(db, termsOf(q), {
    statuses: statusesOf(query),
    limit: page.limit,
    offset: page.offset,
  })
  const parts = readableParts({ caller, query, setHeader })
  const notes = notesReader(services.cipher, caller.organizationId)
  return paginated(
    leads.map(lead => showLead(lead, parts, notes)),
    { ...page, total, pages: limits.leadPages },
  )
})

/** The chosen statuses; without a choice all, or those that are open. */
function statusesOf({
  status,
  includeClosed = false,
}: Input<typeof searchLeads>['query']): readonly LeadStatus[] {
  if (status) return leadStatuses.filter(one => status.includes(one))
  return includeClosed ? leadStatuses : openStatuses
}
