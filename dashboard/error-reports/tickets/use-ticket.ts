import { listErrorGroups, listOrganizationErrors, readErrorGroup } from '#contract/error-reports/tab.ts'
import { listErrorTickets, readErrorTicket } from '#contract/error-reports/tickets.ts'

/** The reads that a changed ticket makes stale: it may also resolve its error (TKT-4). */
export const ticketRefreshes = [
  listErrorTickets,
  readErrorTicket,
  readErrorGroup,
  listErrorGroups,
  listOrganizationErrors,
] as const
