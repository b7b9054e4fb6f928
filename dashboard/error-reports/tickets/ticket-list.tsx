import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listErrorTickets } from '#contract/error-reports/tickets.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import type { Ticket } from './ticket.rules.ts'
import { TicketStatus } from './ticket-status.tsx'
import { ticketTexts } from './tickets.words.ts'
import { TicketsFrame, useTicketApplication } from './tickets-frame.tsx'

/** The tickets of an application as a table. */
export function TicketList() {
  const text = useWords(ticketTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/errors/tickets/list' })
  const { id } = useTicketApplication(search)
  const list = useList(
    listErrorTickets,
    { params: { id: id ?? '' }, query: { ...(search.status && { status: search.status }) } },
    { enabled: id !== undefined },
  )
  const change = (changed: { open?: string | undefined; status?: undefined }) =>
    void navigate({ to: '.', search: (former: object) => ({ ...former, ...changed }), replace: true })
  const index = list.items.findIndex(ticket => ticket.id === search.open)
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => ticketColumns(text, isNarrow), [text, isNarrow])
  const base = `/o/${encodeURIComponent(address)}/errors`
  return (
    <TicketsFrame
      view="table"
      search={search}
      total={list.total}
      neighbours={neighboursOf(list.items, index, ticket => change({ open: ticket.id }))}
    >
      <ListGrid
        label={text.title}
        columns={columns}
        list={list}
        rowKey={ticket => ticket.id}
        rowLabel={({ title }) => title}
        rowHref={({ errorId }) => `${base}/${errorId}`}
        onOpen={ticket => change({ open: ticket.id })}
        current={search.open}
        empty={
          <EmptyList
            isFiltered={search.status !== undefined}
            nothingFits={text.nothing}
            onClear={() => change({ status: undefined })}
            title={text.empty}
            action={<ButtonLink href={base}>{text.toErrors}</ButtonLink>}
          >
            {text.emptyAbout}
          </EmptyList>
        }
      />
    </TicketsFrame>
  )
}

type Titles = Readonly<Record<'name' | 'status' | 'createdBy' | 'created' | 'closed', string>>

function ticketColumns(text: Titles, isNarrow: boolean): Column<Ticket>[] {
  const columns: Column<Ticket>[] = [
    { id: 'title', title: text.name, width: 'minmax(180px, 3fr)', cell: ({ title }) => title },
    {
      id: 'status',
      title: text.status,
      width: '132px',
      phone: 'below',
      cell: ({ status }) => <TicketStatus status={status} />,
    },
    {
      id: 'created',
      title: text.created,
      width: '104px',
      align: 'end',
      phone: 'end',
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'createdBy',
      title: text.createdBy,
      width: 'minmax(140px, 1fr)',
      cell: ({ createdBy }) => createdBy?.name ?? noValue,
    },
    {
      id: 'closed',
      title: text.closed,
      width: '104px',
      align: 'end',
      cell: ({ closedAt }) => (closedAt ? <Time value={closedAt} /> : noValue),
    },
  ]
}
