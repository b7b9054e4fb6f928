import type { Opportunity } from '#contract/crm/opportunities.ts'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { ClientName } from '../budgets/client-name.tsx'
import { OpportunityStatus } from './opportunity-status.tsx'

type Texts = Readonly<
  Record<'name' | 'client' | 'status' | 'stage' | 'amount' | 'expected' | 'created', string>
>

/** The columns of the list; `clientIds` are those of its rows, `isNarrow` is the list beside the open sheet. */
export function opportunityColumns(
  text: Texts,
  clientIds: readonly string[],
  isNarrow: boolean,
): Column<Opportunity>[] {
  const columns: Column<Opportunity>[] = [
    { id: 'title', title: text.name, width: 'minmax(180px, 2fr)', cell: ({ title }) => title },
    {
      id: 'client',
      title: text.client,
      width: 'minmax(140px, 1.5fr)',
      phone: 'below',
      cell: ({ clientId }) => <ClientName id={clientId} ids={clientIds} />,
    },
    {
      id: 'status',
      title: text.status,
      width: '120px',
      phone: 'belowEnd',
      cell: ({ status }) => <OpportunityStatus status={status} />,
    },
    {
      id: 'amount',
      title: text.amount,
      width: '140px',
      align: 'end',
      phone: 'end',
      cell: ({ amountCents, currency }) =>
        amountCents !== null && currency ? <Money cents={amountCents} currency={currency} /> : noValue,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    { id: 'stage', title: text.stage, width: 'minmax(100px, 1fr)', cell: ({ stage }) => stage ?? noValue },
    {
      id: 'expected',
      title: text.expected,
      width: '130px',
      align: 'end',
      cell: ({ expectedOn }) => (expectedOn ? <Time value={expectedOn} form="date" /> : noValue),
    },
    {
      id: 'created',
      title: text.created,
      width: '110px',
      align: 'end',
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
  ]
}
