import type { TicketStatus } from '#contract/error-reports/tickets.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

export type TicketRow = {
  id: string
  application_id: string
  error_id: string
  title: string
  note: string | null
  status: TicketStatus
  created_by: string | null
  creator_name: string | null
  created_at: string
  updated_at: string
  closed_at: string | null
}

const columns = `t.id, t.application_id, t.error_id, t.title, t.note, t.status, t.created_by, m.name as creator_name,
  t.created_at, t.updated_at, t.closed_at`
const creator = 'left join membership m on m.organization_id = $organization and m.person_id = t.created_by'
const byId = `select ${columns} from error_ticket t ${creator}
  where t.organization_id = $organization and t.application_id = $applicationId and t.id = $id`

const selectTicket = sql<TicketRow, { applicationId: string; id: string }>(byId)

export function ticketById(db: Db, applicationId: string, id: string): Promise<TicketRow | undefined> {
  return db.first(selectTicket, { applicationId, id })
}

/** The same for a ticket that exists. */
export function readTicket(db: Db, applicationId: string, id: string): Promise<TicketRow> {
  return db.one(selectTicket, { applicationId, id })
}

const insert = sql<
  never,
  { applicationId: string; errorId: string; id: string; title: string; note: string | null; personId: string }
>(`
  insert into error_ticket (organization_id, application_id, error_id, id, title, note, status, created_by)
  values ($organization, $applicationId, $errorId, $id, $title, $note, 'OPEN', $personId)
  on conflict (organization_id, error_id) where closed_at is null do nothing`)
const link = sql<never, { errorId: string; id: string }>(
  'update error_group g set ticket_id = $id where g.organization_id = $organization and g.id = $errorId',
)

/** Adds an open ticket to a locked error and links both. False if the error already has an open ticket. */
export async function insertTicket(
  tx: Tx,
  ticket: { applicationId: string; errorId: string; id: string; title: string; note: string | null },
  personId: string,
): Promise<boolean> {
  const { applicationId, errorId, id, title, note } = ticket
  const [inserted] = await Promise.all([
    tx.run(insert, { applicationId, errorId, id, title, note, personId }),
    tx.run(link, { errorId, id }),
  ])
  return inserted > 0
}

const update = sql<never, { id: string; title: string; note: string | null; status: TicketStatus }>(`
  update error_ticket t set title = $title, note = $note, status = $status, updated_at = (select clock_timestamp()),
    closed_at = case when $status in ('DONE', 'DISMISSED') then coalesce(t.closed_at, now()) end
  where t.organization_id = $organization and t.id = $id`)
const selectOpenTicket = sql<{ id: string }, { errorId: string }>(`
  select t.id from error_ticket t where t.organization_id = $organization and t.error_id = $errorId
    and t.closed_at is null`)

export async function openTicketOf(tx: Tx, errorId: string): Promise<string | undefined> {
  return (await tx.first(selectOpenTicket, { errorId }))?.id
}

export async function setTicket(
  tx: Tx,
  id: string,
  { title, note, status }: Pick<TicketRow, 'title' | 'note' | 'status'>,
): Promise<void> {
  await tx.run(update, { id, title, note, status })
}

type TicketPageRow = { total: number } & (TicketRow | { id: null })
const page = (where: string) => `
  select n.total, i.* from (
    select count(*)::int as total from error_ticket t
    where t.organization_id = $organization and t.application_id = $applicationId ${where}) n
  left join (
    select ${columns} from error_ticket t ${creator}
    where t.organization_id = $organization and t.application_id = $applicationId ${where}
    order by t.created_at desc, t.id desc limit $limit offset $offset) i on true
  order by i.created_at desc, i.id desc`
// index error_ticket_recent
const selectAll = sql<TicketPageRow, { applicationId: string; limit: number; offset: number }>(page(''))
// index error_ticket_status
const selectOfStatus = sql<
  TicketPageRow,
  { applicationId: string; limit: number; offset: number; status: TicketStatus }
>(page('and t.status = $status'))

/** Latest first. An empty page has one row with the total and a null id. */
export function pageOfTickets(
  db: Db,
  applicationId: string,
  status: TicketStatus | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<TicketPageRow[]> {
  return status === undefined
    ? db.rows(selectAll, { applicationId, limit, offset })
    : db.rows(selectOfStatus, { applicationId, limit, offset, status })
}
