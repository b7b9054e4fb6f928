import { createErrorTicket } from '#contract/error-reports/tab.ts'
import { listErrorTickets, readErrorTicket, updateErrorTicket } from '#contract/error-reports/tickets.ts'
import { limits } from '#contract/limits.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, required } from '#platform/required.ts'
import { applicationFor } from '#server/integrations/index.ts'
import { resolveErrors } from '../groups/change-state.ts'
import { lockError } from '../groups/error-group.access.ts'
import { addHistory } from '../groups/error-group-state.sql.ts'
import { settingsOf } from '../overview/overview.sql.ts'
import { showTicket } from './ticket.json.ts'
import { insertTicket, openTicketOf, pageOfTickets, readTicket, setTicket, ticketById } from './ticket.sql.ts'

/** TKT-1. */
export const create = command(createErrorTicket, async ({ tx, caller, params, body, audit }) => {
  const error = await lockError(tx, params.id, params.errorId)
  const title = body.title?.trim() ?? error.message.slice(0, limits.ticketTitle).toWellFormed()
  const ticket = { id: newId(), applicationId: params.id, errorId: error.id, title, note: body.note ?? null }
  const [isNew, , row] = await Promise.all([
    insertTicket(tx, ticket, caller.personId),
    addHistory(tx, [error.id], 'TICKET_CREATED', caller.personId, ticket.id),
    ticketById(tx, params.id, ticket.id),
  ])
  if (!isNew) fail('TICKET_EXISTS')
  emit(tx, caller, 'ticket.changed', {
    ids: [ticket.id],
    createdIds: [ticket.id],
    parentIds: [params.id],
  })
  audit(error.id, ['ticketId'])
  return showTicket(required(row, 'the ticket that was just created'))
})

export const list = query(listErrorTickets, async ({ db, params, query }) => {
  const { limit, offset } = pageOf(query)
  const [, rows] = await Promise.all([
    applicationFor(db, params.id),
    pageOfTickets(db, params.id, query.status, { limit, offset }),
  ])
  const items = rows.flatMap(row => (row.id === null ? [] : [showTicket(row)]))
  return { items, total: firstOf(rows).total, limit, offset }
})

export const read = query(readErrorTicket, async ({ db, params }) => {
  const [, row] = await Promise.all([
    applicationFor(db, params.id),
    ticketById(db, params.id, params.ticketId),
  ])
  return showTicket(row ?? fail('TICKET_NOT_FOUND'))
})

/** With the setting `resolveWithTicket`, a ticket that becomes DONE resolves its error. */
export const update = command(updateErrorTicket, async ({ tx, caller, params, body, audit }) => {
  const [, found] = await Promise.all([
    applicationFor(tx, params.id),
    ticketById(tx, params.id, params.ticketId),
  ])
  if (!found) fail('TICKET_NOT_FOUND')
  // the lock on the error serializes the changes of its tickets
  const error = await lockError(tx, params.id, found.error_id)
  const [before, openId, settings] = await Promise.all([
    readTicket(tx, params.id, found.id),
    openTicketOf(tx, error.id),
    settingsOf(tx, params.id),
  ])
  const { title, note, status } = before
  const updated = {
    title: body.title?.trim() ?? title,
    note: body.note === undefined ? note : body.note,
    status: body.status ?? status,
  }
  const isOpening = updated.status === 'OPEN' || updated.status === 'IN_PROGRESS'
  if (isOpening && openId !== undefined && openId !== found.id) fail('TICKET_EXISTS')
  await setTicket(tx, found.id, updated)
  audit(found.id, changedFieldNames(['title', 'note', 'status'], before, updated))
  const isDone = updated.status === 'DONE' && status !== 'DONE'
  if (isDone && settings.resolve_with_ticket && error.state !== 'RESOLVED')
    await resolveErrors(tx, caller, [error], 0)
  return showTicket(await readTicket(tx, params.id, found.id))
})
