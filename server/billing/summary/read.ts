import {
  type CollectedByMonth,
  type CountedAmount,
  type DueByAge,
  readBillingSummary,
} from '#contract/billing/summary.ts'
import { limits } from '#contract/limits.ts'
import { query } from '#platform/http/operation.ts'
import { type CollectedRow, type DebtAge, type DueRow, readSummary } from './summary.sql.ts'

/** Reads the amounts due and the payments of two months (PAY-13). */
export const read = query(readBillingSummary, async ({ db, query }) => {
  const { today, due, collected } = await readSummary(db, query.clientId ?? null)
  const overdue = due.filter(({ age }) => age !== 'NOT_DUE')
  return {
    today,
    overdueCount: countOf(overdue),
    due: byCurrency(due, showDue),
    collected: byCurrency(collected, showCollected),
    isComplete: countOf(due) < limits.invoicesSummed && countOf(collected) < limits.invoicesSummed,
  }
})

function showDue(currency: string, rows: readonly DueRow[]): DueByAge {
  const of = (age: DebtAge) => amountOf(rows.find(row => row.age === age))
  return {
    currency,
    notDue: of('NOT_DUE'),
    days1To30: of('DAYS_1_TO_30'),
    days31To60: of('DAYS_31_TO_60'),
    over60Days: of('OVER_60_DAYS'),
  }
}

function showCollected(currency: string, rows: readonly CollectedRow[]): CollectedByMonth {
  return {
    currency,
    thisMonth: amountOf(rows.find(row => row.is_this_month)),
    lastMonth: amountOf(rows.find(row => !row.is_this_month)),
  }
}

function byCurrency<Row extends { currency: string }, Shown>(
  rows: readonly Row[],
  show: (currency: string, rows: readonly Row[]) => Shown,
): Shown[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, group]) => show(currency, group))
}

function amountOf(row: { count: number; cents: number } | undefined): CountedAmount {
  return { count: row?.count ?? 0, cents: row?.cents ?? 0 }
}

function countOf(rows: readonly { count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0)
}
