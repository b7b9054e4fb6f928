import type { BudgetSummary } from '#contract/crm/budgets.ts'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { BudgetStatus } from './budget-status.tsx'
import styles from './budgets.module.css'
import { ClientName } from './client-name.tsx'

type Titles = Record<'titleField' | 'client' | 'status' | 'issued' | 'validUntil' | 'total', string>
/** As many rows share one read of the names of their clients. */
const together = 50

/** The columns of the list of budgets; `rows` are those that it shows. */
export function columnsOf(text: Titles, rows: readonly BudgetSummary[]): Column<BudgetSummary>[] {
  const idsOf = new Map<string, readonly string[]>()
  for (let at = 0; at < rows.length; at += together) {
    const page = rows.slice(at, at + together)
    const ids = page.map(({ clientId }) => clientId)
    for (const { id } of page) idsOf.set(id, ids)
  }
  return [
    {
      id: 'title',
      title: text.titleField,
      width: 'minmax(200px, 3fr)',
      cell: ({ code, title }) => (
        <>
          {title} <span className={styles.code}>{code}</span>
        </>
      ),
    },
    {
      id: 'client',
      title: text.client,
      width: 'minmax(140px, 2fr)',
      phone: 'below',
      cell: ({ id, clientId }) => <ClientName id={clientId} ids={idsOf.get(id) ?? [clientId]} />,
    },
    { id: 'status', title: text.status, width: '120px', phone: 'belowEnd', cell: BudgetStatus },
    {
      id: 'issued',
      title: text.issued,
      width: '112px',
      align: 'end',
      cell: ({ issueDate }) => <Time value={issueDate} form="date" />,
    },
    {
      id: 'validUntil',
      title: text.validUntil,
      width: '112px',
      align: 'end',
      cell: ({ validUntil }) => (validUntil ? <Time value={validUntil} form="date" /> : noValue),
    },
    {
      id: 'total',
      title: text.total,
      width: '132px',
      align: 'end',
      phone: 'end',
      cell: ({ totalCents, currency }) => <Money cents={totalCents} currency={currency} />,
    },
  ]
}
