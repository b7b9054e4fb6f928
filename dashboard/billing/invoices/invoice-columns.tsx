import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import type { ListedInvoice } from './invoice.ts'
import { InvoiceStatus } from './invoice-status.tsx'
import styles from './invoices.module.css'

type ColumnTexts = Record<
  'number' | 'client' | 'status' | 'issueDate' | 'dueDate' | 'total' | 'dueAmount' | 'noNumber',
  string
>

/** The columns of the list. The server sorts by number, days and total. */
export function invoiceColumns(text: ColumnTexts): Column<ListedInvoice>[] {
  return [
    {
      id: 'number',
      title: text.number,
      width: 'minmax(124px, 1fr)',
      phone: 'title',
      sort: { ascending: 'number.asc', descending: 'number.desc' },
      cell: ({ number }) =>
        number === null ? (
          <span className={styles.quiet}>{text.noNumber}</span>
        ) : (
          <span className={styles.number}>{number}</span>
        ),
    },
    {
      id: 'client',
      title: text.client,
      width: 'minmax(140px, 2fr)',
      phone: 'below',
      cell: ({ clientName }) => clientName,
    },
    {
      id: 'status',
      title: text.status,
      width: '148px',
      phone: 'belowEnd',
      cell: invoice => <InvoiceStatus invoice={invoice} />,
    },
    {
      id: 'issueDate',
      title: text.issueDate,
      width: '112px',
      align: 'end',
      sort: { descending: 'issueDate.desc', ascending: 'issueDate.asc' },
      cell: ({ issueDate }) => (issueDate === null ? noValue : <Time value={issueDate} />),
    },
    {
      id: 'dueDate',
      title: text.dueDate,
      width: '112px',
      align: 'end',
      sort: { ascending: 'dueDate.asc', descending: 'dueDate.desc' },
      cell: ({ dueDate }) => (dueDate === null ? noValue : <Time value={dueDate} />),
    },
    {
      id: 'total',
      title: text.total,
      width: '128px',
      align: 'end',
      phone: 'end',
      sort: { descending: 'totalCents.desc', ascending: 'totalCents.asc' },
      cell: ({ totalCents, currency }) => <Money cents={totalCents} currency={currency} />,
    },
    {
      id: 'due',
      title: text.dueAmount,
      width: '128px',
      align: 'end',
      cell: ({ status, dueCents, currency }) =>
        status === 'DRAFT' || dueCents === 0 ? noValue : <Money cents={dueCents} currency={currency} />,
    },
  ]
}
