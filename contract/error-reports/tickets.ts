import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, Person, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

export const ticketStatuses = ['OPEN', 'IN_PROGRESS', 'DONE', 'DISMISSED'] as const
export type TicketStatus = (typeof ticketStatuses)[number]
export const TicketStatus = OneOf(ticketStatuses)

/** A task of the team about an error. */
export const Ticket = Type.Object({
  id: Id,
  applicationId: Id,
  errorId: Id,
  title: Type.String(),
  note: Nullable(Type.String()),
  status: OneOf(ticketStatuses),
  createdBy: Nullable(Person),
  createdAt: Time,
  updatedAt: Time,
  closedAt: Nullable(Time),
})
export type Ticket = Static<typeof Ticket>

const ticketAccess = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'ERROR_REPORTS_MANAGE' } },
} as const

export const listErrorTickets = operation('GET /applications/:id/tickets', {
  ...ticketAccess,
  summary: 'List the tickets of an application, latest first',
  params: { id: Id },
  query: { status: Type.Optional(OneOf(ticketStatuses)), ...pageQuery },
  reply: Page(Ticket),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const readErrorTicket = operation('GET /applications/:id/tickets/:ticketId', {
  ...ticketAccess,
  summary: 'Retrieve a ticket',
  params: { id: Id, ticketId: Id },
  reply: Ticket,
  errors: ['APPLICATION_NOT_FOUND', 'TICKET_NOT_FOUND'],
})

export const updateErrorTicket = operation('PATCH /applications/:id/tickets/:ticketId', {
  announces: { event: 'ticket.changed', id: 'ticketId', parent: 'id' },
  ...ticketAccess,
  summary: 'Update a ticket',
  description:
    'DONE and DISMISSED close the ticket. OPEN and IN_PROGRESS reopen it, unless the error has another open ticket.',
  params: { id: Id, ticketId: Id },
  body: {
    status: Type.Optional(OneOf(ticketStatuses)),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: limits.ticketTitle, pattern: '\\S' })),
    note: Type.Optional(Nullable(Text(limits.ticketNote))),
  },
  reply: Ticket,
  errors: ['APPLICATION_NOT_FOUND', 'TICKET_NOT_FOUND', 'TICKET_EXISTS'],
})
