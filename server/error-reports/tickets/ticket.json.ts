import type { Ticket } from '#contract/error-reports/tickets.ts'
import type { TicketRow } from './ticket.sql.ts'

export function showTicket(row: TicketRow): Ticket {
  return {
    id: row.id,
    applicationId: row.application_id,
    errorId: row.error_id,
    title: row.title,
    note: row.note,
    status: row.status,
    createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name ?? '' },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
  }
}
