import { type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'
import { type LeadFilters, type LeadSearch, leadSearchOf, searchedText } from './lead-search.ts'

/** The columns of the board, in the order of work. */
export const boardStatuses = leadStatuses

/**
 * The filters of the board in the address. It has those of the list, so that saved views hold for both, but its columns are
 * the statuses, and each is ordered by the last change: it ignores `status`, `includeClosed` and the order.
 */
export type BoardSearch = Omit<LeadSearch, 'open'>

export function boardSearchOf(search: Readonly<Record<string, unknown>>): BoardSearch {
  const { open: _, ...filters } = leadSearchOf(search)
  return filters
}

/** The input of `listLeads` for a column: the leads that changed last are first. */
export function columnInputOf(status: LeadStatus, { assigneeId, stage, source, temperature }: LeadFilters) {
  return {
    query: {
      ...(assigneeId && { assigneeId }),
      ...(stage && { stage }),
      ...(source && { source }),
      ...(temperature && { temperature }),
      status: [status],
      orderBy: 'updatedAt' as const,
      include: ['scoring' as const],
    },
  }
}

/** The input of `searchLeads` for a column; undefined if the filters contain no search. */
export function columnSearchOf(status: LeadStatus, filters: LeadFilters) {
  const q = searchedText(filters)
  return q === undefined ? undefined : { query: { q, status: [status], include: ['scoring' as const] } }
}

/** The address of the board with these filters. */
export function boardHref(address: string, search: BoardSearch): string {
  const query = new URLSearchParams(Object.entries(search)).toString()
  return `/o/${encodeURIComponent(address)}/leads/board${query && `?${query}`}`
}
