import { type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'
import { type LeadFilters, leadFiltersOf } from './lead-search.ts'

/** The columns of the board, in the order of work. */
export const boardStatuses = leadStatuses

/** The filters of the board in the address: those of the list but for the statuses, which are its columns. */
export type BoardSearch = Pick<LeadFilters, 'assigneeId' | 'stage' | 'source' | 'temperature'>

/** The filters of an address or of the list that the board has, too. */
export function boardSearchOf(search: Readonly<Record<string, unknown>>): BoardSearch {
  const { status: _, q, includeClosed, orderBy, order, ...filters } = leadFiltersOf(search)
  return filters
}

/** The input of `listLeads` for a column: the leads that changed last are first. */
export function columnInputOf(status: LeadStatus, filters: BoardSearch) {
  return {
    query: {
      ...filters,
      status: [status],
      orderBy: 'updatedAt' as const,
      include: ['scoring' as const],
    },
  }
}
