import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import type { TicketStatus as StatusOfTicket } from './ticket.rules.ts'
import { ticketTexts } from './tickets.words.ts'

const looks: Readonly<Record<StatusOfTicket, { icon: IconName; kind?: StatusKind }>> = {
  OPEN: { icon: 'circle' },
  IN_PROGRESS: { icon: 'half' },
  DONE: { icon: 'done', kind: 'done' },
  DISMISSED: { icon: 'blocked', kind: 'quiet' },
}

/** The status of a ticket: an icon and a word. */
export function TicketStatus({ status }: { status: StatusOfTicket }) {
  const text = useWords(ticketTexts)
  return <Status {...looks[status]}>{text[status]}</Status>
}
