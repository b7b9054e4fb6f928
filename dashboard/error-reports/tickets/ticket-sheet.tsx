import { useState } from 'react'
import { Link } from 'react-aria-components'
import { readErrorTicket, updateErrorTicket } from '#contract/error-reports/tickets.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Facts } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type Ticket, ticketChange, ticketStatuses } from './ticket.rules.ts'
import styles from './tickets.module.css'
import { ticketTexts } from './tickets.words.ts'
import { ticketRefreshes } from './use-ticket.ts'

/** A ticket beside the board or the table. */
export function TicketSheet({
  id,
  applicationId,
  ...sheet
}: {
  id: string
  applicationId: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(ticketTexts)
  const { data, error } = useRead(readErrorTicket, { params: { id: applicationId, ticketId: id } })
  return (
    <Sheet {...sheet} title={data?.title ?? text.ticket}>
      {data ? <TicketDetail ticket={data} /> : <ReadingSection error={error} label={text.reading} />}
    </Sheet>
  )
}

function TicketDetail({ ticket }: { ticket: Ticket }) {
  const text = useWords(ticketTexts)
  const { address } = useOrganization()
  // the form begins with the values of the server, also after somebody else has changed them
  const draft = useDraft(updateErrorTicket, ticket.id)
  return (
    <>
      <SheetSection>
        <Facts
          facts={[
            {
              term: text.error,
              value: (
                <Link
                  href={`/o/${encodeURIComponent(address)}/errors/${ticket.errorId}`}
                  className={styles.link ?? ''}
                >
                  {text.showError}
                </Link>
              ),
            },
            { term: text.createdBy, value: ticket.createdBy?.name },
            { term: text.created, value: <Time value={ticket.createdAt} form="moment" /> },
            { term: text.updated, value: <Time value={ticket.updatedAt} form="moment" /> },
            { term: text.closed, value: ticket.closedAt && <Time value={ticket.closedAt} form="moment" /> },
          ]}
        />
      </SheetSection>
      <SheetSection>
        {draft.isLoaded && <TicketForm key={ticket.updatedAt} ticket={ticket} draft={draft} />}
      </SheetSection>
    </>
  )
}

function TicketForm({
  ticket,
  draft,
}: {
  ticket: Ticket
  draft: ReturnType<typeof useDraft<typeof updateErrorTicket>>
}) {
  const text = useWords(ticketTexts)
  const typed = draft.values
  const [values, setValues] = useState({
    title: typed?.title ?? ticket.title,
    note: typed?.note ?? ticket.note ?? '',
    status: typed?.status ?? ticket.status,
  })
  const update = useAction(updateErrorTicket, { refreshes: ticketRefreshes })
  const body = ticketChange(ticket, values)
  function change(changed: Partial<typeof values>): void {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save(next)
  }
  async function send(): Promise<void> {
    if (Object.keys(body).length === 0) return
    await update.mutateAsync({ params: { id: ticket.applicationId, ticketId: ticket.id }, body })
    draft.clear()
    showToast({ text: text.saved(values.title.trim()) })
  }
  return (
    <ActionForm onSubmit={send} aria-label={text.ticket}>
      {({ isBusy }) => (
        <>
          <Choice
            label={text.status}
            value={values.status}
            onChange={status => change({ status })}
            options={ticketStatuses.map(value => ({ value, label: text[value] }))}
          />
          <TextField
            {...fieldOf(updateErrorTicket, 'title')}
            label={text.name}
            value={values.title}
            onChange={title => change({ title })}
            isRequired
            autoComplete="off"
          />
          <TextField
            {...fieldOf(updateErrorTicket, 'note')}
            label={text.note}
            hint={text.noteHint}
            rows={6}
            value={values.note}
            onChange={note => change({ note })}
          />
          <div>
            <Button type="submit" kind="primary" isBusy={isBusy}>
              {text.save}
            </Button>
          </div>
        </>
      )}
    </ActionForm>
  )
}
