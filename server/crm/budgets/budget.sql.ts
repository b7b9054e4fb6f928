import type { BudgetStatus } from '#contract/crm/budgets.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { nextMillisecond } from '#platform/data/later.ts'
import { recordOf } from '#platform/data/record-of.ts'
import { sql } from '#platform/data/statement.ts'
import { type ListSelection, pagedList, rowsByIds } from '../paged-list.sql.ts'
import { matchesAll, patternLines, recentSearch } from '../recent-search.sql.ts'
import {
  allBudgetColumns,
  type BudgetRow,
  type BudgetValues,
  budgetColumns,
  type ListedBudgetRow,
  listedBudgetColumns,
} from './budget.row.ts'

const names = Object.keys(budgetColumns)
const typed = Object.entries(budgetColumns).map(([name, type]) => `${name} ${type}`)
const inputRow = recordOf('$row', typed.join(', '))
// the counter stays locked until the commit, so that numbers have no gaps
const insert = sql<BudgetRow, { row: string; year: number; code: string | null }>(`
  with counter as (
    insert into budget_counter as c (organization_id, year, last) select $organization, $year, 1
    where $code::text is null
    on conflict (organization_id, year) do update set last = c.last + 1
    returning lpad(c.last::text, greatest(4, length(c.last::text)), '0') as number
  ), inserted as (
  insert into budget as b (organization_id, code, status, ${names.join(', ')})
  select $organization, coalesce($code, 'P-' || $year::int || '-' || (select number from counter)), 'DRAFT',
    ${names.map(name => `r.${name}`).join(', ')}
  from ${inputRow}
  on conflict on constraint budget_code do nothing
  returning b.*)
  select ${allBudgetColumns} from inserted b`)
// strictly increasing, because callers use it as expectedUpdatedAt
const moment = `updated_at = greatest(now(), ${nextMillisecond('b.updated_at')})`
const update = sql<BudgetRow, { row: string }>(`
  update budget b set ${names
    .filter(name => name !== 'id' && name !== 'created_by')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, ${moment}
  from ${inputRow} where b.organization_id = $organization and b.id = r.id
  returning ${allBudgetColumns}`)
const updateStatus = sql<
  BudgetRow,
  { id: string; status: BudgetStatus; at: string | null; reason: string | null }
>(`
  update budget b set status = $status, ${moment},
    sent_at = case when $status = 'SENT' then now() else b.sent_at end,
    signed_at = case when $status = 'SIGNED' then coalesce($at, now()) else b.signed_at end,
    declined_at = case when $status = 'DECLINED' then now() else b.declined_at end,
    decline_reason = case when $status = 'DECLINED' then $reason else b.decline_reason end
  where b.organization_id = $organization and b.id = $id
  returning ${allBudgetColumns}`)

const yearOf = ({ issue_date }: BudgetValues) => Number(issue_date.slice(0, 4))

/** Inserts a draft with the next free code of its year. */
export async function insertBudget(tx: Tx, budget: BudgetValues): Promise<BudgetRow> {
  for (;;) {
    const row = await tx.first(insert, { row: JSON.stringify(budget), year: yearOf(budget), code: null })
    if (row) return row
  }
}

/** Inserts a draft with the given code; undefined if another budget has it. */
export function insertBudgetWithCode(
  tx: Tx,
  budget: BudgetValues,
  code: string,
): Promise<BudgetRow | undefined> {
  return tx.first(insert, { row: JSON.stringify(budget), year: yearOf(budget), code })
}

/** Updates a budget that this transaction has locked. */
export function setBudget(tx: Tx, budget: BudgetValues): Promise<BudgetRow> {
  return tx.one(update, { row: JSON.stringify(budget) })
}

/** Sets the status of a budget that this transaction has locked. `at` is the time of the signature, `reason` that of a rejection. */
export function setBudgetStatus(
  tx: Tx,
  id: string,
  status: Exclude<BudgetStatus, 'DRAFT'>,
  { at = null, reason = null }: { at?: string | null; reason?: string | null } = {},
): Promise<BudgetRow> {
  return tx.one(updateStatus, { id, status, at, reason })
}

type Filters = { status: BudgetStatus | null; clientId: string | null }
const source = {
  table: 'budget',
  alias: 'b',
  columns: listedBudgetColumns,
  search: 'budget_search_text(b.code, b.title, b.title_folded)',
}
const filters = { status: 'b.status = $status', clientId: 'b.client_id = $clientId' }
// index budget_recent, budget_status or budget_of
const newestBudgets = pagedList<ListedBudgetRow, Filters>(
  {
    columns: listedBudgetColumns,
    from: 'from budget b where b.organization_id = $organization',
    order: 'b.created_at desc, b.id desc',
  },
  filters,
)
// the same indexes and budget_search
const searchBudgets = recentSearch<ListedBudgetRow, keyof Filters>(source, filters)
const budgetsByIds = rowsByIds<ListedBudgetRow, keyof Filters | 'search'>(source, {
  ...filters,
  search: matchesAll(source.search, '$search'),
})

/** A page of budgets, newest first, and their total. */
export function listBudgets(
  db: Db,
  { status, clientId, search, ids }: Filters & ListSelection,
  page: { limit: number; offset: number },
): Promise<{ rows: ListedBudgetRow[]; total: number }> {
  if (ids) return budgetsByIds(db, ids, { status, clientId, search: patternLines(search) }, page)
  if (search) return searchBudgets(db, search, { status, clientId }, page)
  return newestBudgets(db, { status, clientId }, page)
}
