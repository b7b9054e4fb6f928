import type { BudgetStatus } from '#contract/crm/budgets.ts'
import type { Db, Tx } from '#platform/data/database.ts'
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
const inputRow = `jsonb_to_record($2::jsonb) as r(${typed.join(', ')})`
// the counter stays locked until the commit, so that numbers have no gaps
const insert = sql<BudgetRow, [row: string, year: number, code: string | null]>(`
  with counter as (
    insert into budget_counter as c (organization_id, year, last) select $1, $3, 1 where $4::text is null
    on conflict (organization_id, year) do update set last = c.last + 1
    returning lpad(c.last::text, greatest(4, length(c.last::text)), '0') as number
  )
  insert into budget as b (organization_id, code, status, ${names.join(', ')})
  select $1, coalesce($4, 'P-' || $3::int || '-' || (select number from counter)), 'DRAFT',
    ${names.map(name => `r.${name}`).join(', ')}
  from ${inputRow}
  on conflict on constraint budget_code do nothing
  returning ${allBudgetColumns}`)
// strictly increasing, because callers use it as expectedUpdatedAt
const moment = `updated_at = greatest(now(), b.updated_at + interval '1 millisecond')`
const update = sql<BudgetRow, [row: string]>(`
  update budget b set ${names
    .filter(name => name !== 'id' && name !== 'created_by')
    .map(name => `${name} = r.${name}`)
    .join(', ')}, ${moment}
  from ${inputRow} where b.organization_id = $1 and b.id = r.id
  returning ${allBudgetColumns}`)
const updateStatus = sql<
  BudgetRow,
  [id: string, status: BudgetStatus, at: string | null, reason: string | null]
>(`
  update budget b set status = $3, ${moment},
    sent_at = case when $3 = 'SENT' then now() else b.sent_at end,
    signed_at = case when $3 = 'SIGNED' then coalesce($4, now()) else b.signed_at end,
    declined_at = case when $3 = 'DECLINED' then now() else b.declined_at end,
    decline_reason = case when $3 = 'DECLINED' then $5 else b.decline_reason end
  where b.organization_id = $1 and b.id = $2
  returning ${allBudgetColumns}`)

const yearOf = ({ issue_date }: BudgetValues) => Number(issue_date.slice(0, 4))

/** Inserts a draft with the next free code of its year. */
export async function insertBudget(tx: Tx, budget: BudgetValues): Promise<BudgetRow> {
  for (;;) {
    const row = await tx.first(insert, JSON.stringify(budget), yearOf(budget), null)
    if (row) return row
  }
}

/** Inserts a draft with the given code; undefined if another budget has it. */
export function insertBudgetWithCode(
  tx: Tx,
  budget: BudgetValues,
  code: string,
): Promise<BudgetRow | undefined> {
  return tx.first(insert, JSON.stringify(budget), yearOf(budget), code)
}

/** Updates a budget that this transaction has locked. */
export async function setBudget(tx: Tx, budget: BudgetValues): Promise<BudgetRow> {
  return (await tx.first(update, JSON.stringify(budget)))!
}

/** Sets the status of a budget that this transaction has locked. `at` is the time of the signature, `reason` that of a rejection. */
export async function setBudgetStatus(
  tx: Tx,
  id: string,
  status: Exclude<BudgetStatus, 'DRAFT'>,
  { at = null, reason = null }: { at?: string | null; reason?: string | null } = {},
): Promise<BudgetRow> {
  return (await tx.first(updateStatus, id, status, at, reason))!
}

type Filters = { status: BudgetStatus | null; clientId: string | null }
const source = {
  table: 'budget',
  alias: 'b',
  columns: listedBudgetColumns,
  search: 'budget_search_text(b.code, b.title, b.title_folded)',
}
// index budget_recent, budget_status or budget_of
const newestBudgets = pagedList<ListedBudgetRow, [status: string | null, clientId: string | null]>(
  {
    columns: listedBudgetColumns,
    from: 'from budget b where b.organization_id = $1',
    order: 'b.created_at desc, b.id desc',
  },
  [],
  ['b.status = $2', 'b.client_id = $3'],
)
// the same indexes and budget_search
const searchBudgets = recentSearch<ListedBudgetRow>(source, ['b.status = $2', 'b.client_id = $3'])
const budgetsByIds = rowsByIds<ListedBudgetRow>(source, [
  'b.status = $3',
  'b.client_id = $4',
  matchesAll(source.search, '$5'),
])

/** A page of budgets, newest first, and their total. */
export function listBudgets(
  db: Db,
  { status, clientId, search, ids }: Filters & ListSelection,
  page: { limit: number; offset: number },
): Promise<{ rows: ListedBudgetRow[]; total: number }> {
  if (ids) return budgetsByIds(db, ids, [status, clientId, patternLines(search)], page)
  if (search) return searchBudgets(db, search, [status, clientId], page)
  return newestBudgets(db, [status, clientId], page)
}
