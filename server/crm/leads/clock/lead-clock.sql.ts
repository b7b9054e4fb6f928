import { type ChangeSource, type LeadStatus, leadStatuses } from '#contract/crm/shapes.ts'
import type { CrossTenantDb, Tx } from '#platform/data/db.ts'
import { nextMillisecond } from '#platform/data/later.ts'
import { crossTenantSql, oneServerLock, sql } from '#platform/data/statement.ts'
import { type LeadRow, leadColumns } from '../lead.row.ts'

/** A placeholder for the time of the change, which the clock assigns. */
export const momentOfChange = 'infinity'

/** An entry of the history; see lead_change. */
export type LeadChangeRow = {
  id: string
  lead_id: string
  action: string
  actor_id: string | null
  actor_kind: 'USER' | 'APP' | 'SYSTEM'
  from_status: LeadStatus | null
  to_status: LeadStatus
  changed: readonly string[]
  source: ChangeSource | null
  reason: string | null
}
export type LeadWrite = { before: LeadRow | null; after: LeadRow; change: LeadChangeRow }

const names = Object.keys(leadColumns)
const typed = Object.entries(leadColumns).map(([name, type]) => `${name} ${type}`)
const inputRows = `r as materialized (
    select * from jsonb_to_recordset($leads::jsonb) as r(${typed.join(', ')}, email_hash text,
      qualified_at timestamptz, lost_at timestamptz, converted_at timestamptz, erased_at timestamptz)
  )`
const counts = leadStatuses.map((status, at) => ({
  column: `${status.toLowerCase()}_count`,
  delta: `($deltas::bigint[])[${at + 1}]`,
}))
/** A clock that is ahead by less is not marked: two changes within a millisecond put it ahead by one. */
const noticeable = "interval '100 milliseconds'"
// a concurrent transaction waits here until the first one commits, and then gets a later time than that one
const clock = `clock as (
    insert into lead_clock as c (organization_id, last_change_at, last_tx,
      ${counts.map(({ column }) => column).join(', ')})
    select $organization, clock_timestamp(), pg_current_xact_id(), ${counts.map(({ delta }) => delta).join(', ')}
    on conflict (organization_id) do update set
      last_change_at = greatest(excluded.last_change_at, ${nextMillisecond('c.last_change_at')}),
      is_ahead = c.last_change_at - excluded.last_change_at > ${noticeable},
      last_tx = excluded.last_tx, ${counts.map(({ column }) => `${column} = c.${column} + excluded.${column}`).join(', ')}
    returning last_change_at
  )`
const history = `history as (
    insert into lead_change (organization_id, id, lead_id, action, actor_id, actor_kind, from_status, to_status, changed,
      source, reason, at)
    select $organization, t.id, t.lead_id, t.action, t.actor_id, t.actor_kind, t.from_status, t.to_status,
      t.changed, t.source, t.reason, clock.last_change_at
    from jsonb_to_recordset($changes::jsonb) as t(id text, lead_id text, action text, actor_id text, actor_kind text,
      from_status text, to_status text, changed text[], source text, reason text), clock
  )`
const moment = (name: string) =>
  `case when r.${name} = 'infinity' then clock.last_change_at else r.${name} end`
const moments = ['qualified_at', 'lost_at', 'converted_at', 'erased_at']

type Args = { leads: string; changes: string; deltas: number[] }
const insert = sql<{ at: string }, Args>(`
  with ${inputRows}, ${clock}, written as (
    insert into lead (organization_id, ${names.join(', ')}, email_hash, ${moments.join(', ')}, created_at, updated_at)
    select $organization, ${names.map(name => `r.${name}`).join(', ')}, decode(r.email_hash, 'hex'),
      ${moments.map(moment).join(', ')}, clock.last_change_at, clock.last_change_at
    from r, clock
  ), ${history}
  select last_change_at as at from clock`)
const update = sql<{ at: string }, Args>(`
  with ${inputRows}, ${clock}, written as (
    update lead l set ${names
      .filter(name => name !== 'id')
      .map(name => `${name} = r.${name}`)
      .join(', ')}, email_hash = decode(r.email_hash, 'hex'),
      ${moments.map(name => `${name} = ${moment(name)}`).join(', ')}, updated_at = clock.last_change_at
    from r, clock where l.organization_id = $organization and l.id = r.id
  ), ${history}
  select last_change_at as at from clock`)

/**
 * Writes new leads, or leads that this transaction has locked, with their history, and gives all of them the next time of the
 * organization's clock. Returns that time. It must take the last lock of the transaction: until the commit no other transaction
 * changes a lead of the organization, so that no lead becomes visible behind one with a later time (SYNC-3, SYNC-4; decision
 * 0016).
 */
export async function writeLeads(tx: Tx, writes: readonly LeadWrite[]): Promise<string> {
  const isNew = writes[0]?.before === null
  if (writes.some(({ before }) => (before === null) !== isNew))
    throw new Error('New and existing leads cannot be written together')
  const deltas = leadStatuses.map(status =>
    writes.reduce((sum, { before, after }) => sum + counted(after, status) - counted(before, status), 0),
  )
  const row = await tx.one(isNew ? insert : update, {
    leads: JSON.stringify(writes.map(({ after }) => after)),
    changes: JSON.stringify(writes.map(({ change }) => change)),
    deltas,
  })
  return row.at
}

function counted(lead: LeadRow | null, status: LeadStatus): number {
  return lead !== null && lead.erased_at === null && lead.status === status ? 1 : 0
}

const crossTenantReason = 'a metric over all organizations, without the organization'
/** The marked clocks that one statement reads: with more of them, the clock of the machine was set back. */
const mostAhead = 1_000

/** The clocks that were ahead at their last change. */
type ClocksAhead = {
  /** How far the fastest of them is ahead of the clock of the database; 0 if none is. */
  seconds: number
  /** True if some are not ahead any more. */
  haveCaughtUp: boolean
}
const ahead = crossTenantSql<ClocksAhead>(
  crossTenantReason,
  `select coalesce(greatest(0, extract(epoch from max(c.last_change_at) - clock_timestamp())), 0)::float8 as seconds,
     coalesce(min(c.last_change_at) < clock_timestamp(), false) as "haveCaughtUp"
   from (select last_change_at from lead_clock where is_ahead order by organization_id limit ${mostAhead}) c`,
)
const unmark = crossTenantSql<never>(
  crossTenantReason,
  `update lead_clock set is_ahead = false where is_ahead and last_change_at < now() and organization_id in (
     select organization_id from lead_clock where is_ahead and last_change_at < now()
     order by organization_id limit ${mostAhead} ${oneServerLock('for update skip locked')})`,
)

/**
 * The lead clocks that are ahead of the clock of the database. Reads only those that were ahead at their last change, so it costs
 * the same for any number of organizations.
 */
export function readClocksAhead(database: CrossTenantDb): Promise<ClocksAhead> {
  return database.one(ahead)
}

/** Forgets which clocks were ahead and are not any more. */
export async function unmarkCaughtUpClocks(database: CrossTenantDb): Promise<void> {
  await database.rows(unmark)
}
