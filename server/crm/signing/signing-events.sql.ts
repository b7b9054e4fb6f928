import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { newIdsInOrder } from '#platform/ids.ts'

export type BudgetEventKind =
  | 'LINK_ISSUED'
  | 'LINK_SENT'
  | 'LINK_REVOKED'
  | 'VIEWED'
  | 'SIGNED'
  | 'DECLINED'
  | 'IMPORTED'
  | 'REQUEST_STOPPED'

/** An entry in the history of a budget. */
export type BudgetEvent = {
  budgetId: string
  linkId: string | null
  kind: BudgetEventKind
  /** A member of the organization; null for the signer. */
  actorId: string | null
  /** The IP address of the signer. */
  ip?: string
  userAgent?: string
}
export type BudgetEventRow = {
  kind: BudgetEventKind
  ip: string | null
  at: string
}

const insert = sql<never, { events: string }>(`
  insert into budget_event (organization_id, id, budget_id, signing_link_id, kind, actor_id, ip, user_agent, at)
  select $organization, e.id, e."budgetId", e."linkId", e.kind, e."actorId", e.ip, e."userAgent", clock_timestamp()
  from jsonb_to_recordset($events::jsonb) as e(id text, "budgetId" text, "linkId" text, kind text,
    "actorId" text, ip inet, "userAgent" text)`)
// index budget_event_of
const select = sql<BudgetEventRow, { budgetId: string; most: number }>(`
  select e.kind, host(e.ip) as ip, e.at from budget_event e
  where e.organization_id = $organization and e.budget_id = $budgetId order by e.at desc, e.id desc limit $most`)

/** Inserts events in this order. */
export async function insertEvents(tx: Tx, ...events: BudgetEvent[]): Promise<void> {
  const ids = newIdsInOrder(events.length)
  await tx.run(insert, { events: JSON.stringify(events.map((event, at) => ({ ...event, id: ids[at] }))) })
}

/** The latest `most` events of a budget, in order. */
export async function eventsOf(db: Db, budgetId: string, most: number): Promise<BudgetEventRow[]> {
  return (await db.rows(select, { budgetId, most })).reverse()
}
