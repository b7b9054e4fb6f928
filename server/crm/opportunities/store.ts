import type { OpportunityStatus } from '#contract/crm/customers.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { narrowed } from '#platform/db/narrowed.ts'
import { sql } from '#platform/db/statement.ts'
import { type OpportunityRow, opportunityColumns, wholeOpportunity } from './row.ts'

const names = Object.keys(opportunityColumns)
const typed = Object.entries(opportunityColumns).map(([name, type]) => `${name} ${type}`)
const given = `jsonb_to_record($2::jsonb) as r(${typed.join(', ')})`
const insert = sql<OpportunityRow, [row: string]>(`
  insert into crm_opportunity as o (organization_id, ${names.join(', ')})
  select $1, ${names.map(name => `r.${name}`).join(', ')} from ${given}
  returning ${wholeOpportunity}`)
const update = sql<OpportunityRow, [row: string]>(`
  update crm_opportunity o set ${names
    .filter(name => name !== 'id')
    .map(name => `${name} = r.${name}`)
    .join(
      ', ',
    )}, updated_at = now(), closed_at = case when r.status <> 'OPEN' then coalesce(o.closed_at, now()) end
  from ${given} where o.organization_id = $1 and o.id = r.id
  returning ${wholeOpportunity}`)

export async function insertOpportunity(tx: Tx, opportunity: OpportunityRow): Promise<OpportunityRow> {
  return (await tx.first(insert, JSON.stringify(opportunity)))!
}

/** Writes an opportunity that this transaction has locked. */
export async function setOpportunity(tx: Tx, opportunity: OpportunityRow): Promise<OpportunityRow> {
  return (await tx.first(update, JSON.stringify(opportunity)))!
}

type Listed = [status: OpportunityStatus | null, clientId: string | null]
const filters = ['o.status = $2', 'o.client_id = $3']
const among = (condition: string) => `from crm_opportunity o where o.organization_id = $1 and ${condition}`
// index crm_opportunity_recent, crm_opportunity_status or crm_opportunity_of
const page = narrowed<OpportunityRow, [...Listed, limit: number, offset: number]>(
  filters,
  condition => `select ${wholeOpportunity} ${among(condition)}
    order by o.created_at desc, o.id desc limit $4 offset $5`,
)
const count = narrowed<{ total: number }, Listed>(
  filters,
  condition =>
    `select count(*) as total from (select ${among(condition)} limit ${limits.customersCounted}) n`,
)

/** A page of opportunities, the newest first, and how many there are. */
export async function listOpportunities(
  db: Db,
  { status, clientId }: { status: OpportunityStatus | null; clientId: string | null },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: OpportunityRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(page(status, clientId), status, clientId, limit, offset),
    db.first(count(status, clientId), status, clientId),
  ])
  return { rows, total: counted!.total }
}
