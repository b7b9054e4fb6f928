import { leadStatuses } from '#contract/crm/shapes.ts'
import { listLeadDuplicates } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { lookUp } from '#platform/required.ts'
import { leadFor } from './lead.access.ts'
import { showLead } from './lead.json.ts'
import { duplicatesOf } from './lead-duplicates.sql.ts'
import { filterLeads } from './list/lead-filters.sql.ts'

const oldestFirst = {
  statuses: leadStatuses,
  orderBy: 'createdAt',
  order: 'asc',
  limit: limits.leadDuplicates,
  offset: 0,
} as const

/** Lists other leads with the same e-mail or telephone (LEAD-48). */
export const listDuplicates = query(listLeadDuplicates, async ({ db, params, services }) => {
  const duplicates = await duplicatesOf(db, services.cipher, await leadFor(db, params.id))
  if (duplicates.length === 0) return { items: [] }
  const matchedOn = new Map(duplicates.map(duplicate => [duplicate.id, duplicate.matchedOn]))
  const { leads } = await filterLeads(db, oldestFirst, { ids: [...matchedOn.keys()] })
  return {
    items: leads.map(lead => ({
      lead: showLead(lead, { scoring: false, notes: false }, () => null),
      matchedOn: lookUp(matchedOn, lead.id),
    })),
  }
})
