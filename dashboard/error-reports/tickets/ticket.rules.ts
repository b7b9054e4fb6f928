import type { Ticket } from '#contract/error-reports/tickets.ts'

export type { Ticket, TicketStatus } from '#contract/error-reports/tickets.ts'

/** The columns of the board. */
export const ticketStatuses = ['OPEN', 'IN_PROGRESS', 'DONE', 'DISMISSED'] as const

/** The state of the tickets in the address. */
export type TicketSearch = {
  application?: string
  status?: Ticket['status']
  /** The ticket whose details are open. */
  open?: string
}

export function ticketSearchOf(given: Record<string, unknown>): TicketSearch {
  const status = ticketStatuses.find(one => one === given.status)
  return {
    ...(typeof given.application === 'string' && { application: given.application }),
    ...(status && { status }),
    ...(typeof given.open === 'string' && { open: given.open }),
  }
}

/** An error has at most one open ticket (TKT-1). */
export function isOpenTicket(ticket: Pick<Ticket, 'status'> | null): boolean {
  return ticket?.status === 'OPEN' || ticket?.status === 'IN_PROGRESS'
}

/** The fields of a ticket that a form changes. */
export function ticketChange(
  ticket: Pick<Ticket, 'title' | 'note' | 'status'>,
  typed: Pick<Ticket, 'title' | 'status'> & { note: string },
): Partial<Pick<Ticket, 'title' | 'note' | 'status'>> {
  const note = typed.note.trim() === '' ? null : typed.note
  const title = typed.title.trim()
  return {
    ...(title !== ticket.title && { title }),
    ...(note !== ticket.note && { note }),
    ...(typed.status !== ticket.status && { status: typed.status }),
  }
}
