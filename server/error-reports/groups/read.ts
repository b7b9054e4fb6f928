import { readErrorGroup } from '#contract/error-reports/tab.ts'
import { query } from '#platform/http/operation.ts'
import { showTicket } from '../tickets/ticket.json.ts'
import { ticketById } from '../tickets/ticket.sql.ts'
import { errorFor } from './error-group.access.ts'
import { showGroup } from './error-group.json.ts'
import { detailsOf } from './error-group-detail.sql.ts'

export const read = query(readErrorGroup, async ({ db, params }) => {
  const [error, { samples, hours, history }] = await Promise.all([
    errorFor(db, params.id, params.errorId),
    detailsOf(db, params.errorId),
  ])
  const ticket = error.ticket_id === null ? undefined : await ticketById(db, params.id, error.ticket_id)
  return {
    ...showGroup(error),
    samples: samples.map(({ kind, occurred_at: occurredAt, report }) => ({ kind, occurredAt, ...report })),
    hours,
    history: history.map(({ action, at, actor_id: id, actor_name: name, note }) => ({
      action,
      at,
      by: id === null ? null : { id, name: name ?? '' },
      note,
    })),
    ticket: ticket ? showTicket(ticket) : null,
  }
})
