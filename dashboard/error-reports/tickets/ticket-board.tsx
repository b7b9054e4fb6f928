import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { listErrorTickets, updateErrorTicket } from '#contract/error-reports/tickets.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { keyOf, readAgain, useAction, useList } from '../../data/read.ts'
import { Board, type BoardColumn } from '../../parts/board.tsx'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Ticket, type TicketSearch, ticketStatuses } from './ticket.rules.ts'
import { TicketStatus } from './ticket-status.tsx'
import styles from './tickets.module.css'
import { ticketTexts } from './tickets.words.ts'
import { TicketsFrame, useTicketApplication } from './tickets-frame.tsx'
import { ticketRefreshes } from './use-ticket.ts'

/** The tickets of an application in four columns. */
export function TicketBoard() {
  const search = useSearch({ from: '/o/$organization/errors/tickets' })
  const { id } = useTicketApplication(search)
  return (
    <TicketsFrame view="board" search={search}>
      {id !== undefined && <Columns key={id} applicationId={id} search={search} />}
    </TicketsFrame>
  )
}

function Columns({ applicationId, search }: { applicationId: string; search: TicketSearch }) {
  const text = useWords(ticketTexts)
  const language = useLanguage()
  const may = useMay()
  const cache = useQueryClient()
  const { id: organizationId, address } = useOrganization()
  const update = useAction(updateErrorTicket, { refreshes: ticketRefreshes })
  const columns = useColumns(applicationId)

  async function move(ticket: Ticket, columnId: string): Promise<string | undefined> {
    const status = ticketStatuses.find(one => one === columnId)
    if (!status) return undefined
    try {
      await update.mutateAsync({ params: { id: applicationId, ticketId: ticket.id }, body: { status } })
      return undefined
    } catch (error) {
      await needErrorTexts(language)
      await readAgain(cache, keyOf(organizationId, listErrorTickets))
      return textOfError(error, language)
    }
  }
  const hrefOf = ({ id }: Ticket) =>
    `/o/${encodeURIComponent(address)}/errors/tickets?${new URLSearchParams({ ...search, application: applicationId, open: id })}`

  return (
    <Board
      label={text.title}
      columns={columns}
      cardKey={({ id }) => id}
      cardLabel={({ title }) => title}
      cardHref={hrefOf}
      onMove={may(updateErrorTicket) ? move : undefined}
    >
      {({ note, createdBy, createdAt }) => (
        <>
          {note && <span className={styles.note}>{note}</span>}
          <span className={styles.cardFacts}>
            <span>{createdBy?.name}</span>
            <Time value={createdAt} />
          </span>
        </>
      )}
    </Board>
  )
}

function useColumns(applicationId: string): BoardColumn<Ticket>[] {
  const text = useWords(ticketTexts)
  const language = useLanguage()
  const params = { id: applicationId }
  const lists = {
    OPEN: useList(listErrorTickets, { params, query: { status: 'OPEN' } }),
    IN_PROGRESS: useList(listErrorTickets, { params, query: { status: 'IN_PROGRESS' } }),
    DONE: useList(listErrorTickets, { params, query: { status: 'DONE' } }),
    DISMISSED: useList(listErrorTickets, { params, query: { status: 'DISMISSED' } }),
  } satisfies Record<Ticket['status'], unknown>
  return ticketStatuses.map(status => {
    const { items, error, reload, ...list } = lists[status]
    return {
      ...list,
      id: status,
      title: text[status],
      head: <TicketStatus status={status} />,
      cards: items,
      error: error && (
        <Problem
          title={textOfError(error, language)}
          action={<Button onPress={reload}>{text.again}</Button>}
        />
      ),
    }
  })
}
