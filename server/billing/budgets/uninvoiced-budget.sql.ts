import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { pageWithTotal, type RowWithTotal } from '#platform/data/page-with-total.ts'
import { sql } from '#platform/data/statement.ts'

export type UninvoicedBudgetRow = {
  id: string
  code: string
  title: string
  client_id: string
  client_name: string
  currency: string
  total_cents: number
  signed_at: string
}

// indexes budget_signed and invoice_of_budget; only the budgets signed last are examined, so that the cost stays
// the same when most of them have an invoice
const uninvoiced = `signed as materialized (
    select b.id, b.signed_at from budget b where b.organization_id = $organization and b.status = 'SIGNED'
    order by b.signed_at desc, b.id desc limit ${limits.signedBudgetsExamined}),
  uninvoiced as materialized (
    select s.id, s.signed_at from signed s where not exists (
      select from invoice i where i.organization_id = $organization and i.budget_id = s.id
        and i.lifecycle <> 'VOIDED'))`
const page = sql<RowWithTotal<UninvoicedBudgetRow>, { limit: number; offset: number }>(`
  with ${uninvoiced}
  select t.total, p.* from (select count(*)::int as total from uninvoiced) t left join (
    select b.id, b.code, b.title, b.client_id, c.name as client_name, b.currency, b.total_cents, u.signed_at
    from (select n.id, n.signed_at from uninvoiced n
      order by n.signed_at desc, n.id desc limit $limit offset $offset) u
    join budget b on b.organization_id = $organization and b.id = u.id
    join crm_client c on c.organization_id = $organization and c.id = b.client_id) p on true
  order by p.signed_at desc, p.id desc`)
const count = sql<{ total: number }>(`with ${uninvoiced} select count(*)::int as total from uninvoiced`)
// index invoice_of_budget
const current = sql<{ id: string }, { budgetId: string }>(`
  select i.id from invoice i where i.organization_id = $organization and i.budget_id = $budgetId
    and i.lifecycle <> 'VOIDED'`)

/** Signed budgets without an invoice, the last signed first, and how many there are. */
export async function listUninvoicedBudgets(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: UninvoicedBudgetRow[]; total: number }> {
  return pageWithTotal(await db.rows(page, { limit, offset }))
}

/** The number of signed budgets that the list of those without an invoice has. */
export async function countUninvoicedBudgets(db: Db): Promise<number> {
  return (await db.one(count)).total
}

/** The id of the invoice of a budget, unless it was voided. */
export async function findInvoiceOfBudget(tx: Tx, budgetId: string): Promise<string | undefined> {
  return (await tx.first(current, { budgetId }))?.id
}
