import { type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'

/** The columns of the board, in the order of work. */
export const boardStatuses = leadStatuses

/** The state of the board in the address. */
export type BoardSearch = {
  /** The id of a person, or `none` for leads without an owner. */
  assigneeId?: string
}

export function boardSearchOf({ assigneeId }: Record<string, unknown>): BoardSearch {
  return typeof assigneeId === 'string' ? { assigneeId } : {}
}

/** The input of `listLeads` for a column: the leads that changed last are first. */
export function columnInputOf(status: LeadStatus, { assigneeId }: BoardSearch) {
  return {
    query: {
      status: [status],
      orderBy: 'updatedAt' as const,
      include: ['scoring' as const],
      ...(assigneeId && { assigneeId }),
    },
  }
}
