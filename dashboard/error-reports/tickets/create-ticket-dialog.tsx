import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  createErrorTicket,
  listErrorGroups,
  listOrganizationErrors,
  readErrorGroup,
} from '#contract/error-reports/tab.ts'
import { listErrorTickets } from '#contract/error-reports/tickets.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type ErrorGroup, titleOf } from '../groups/error.ts'
import { ticketTexts } from './tickets.words.ts'

/** Makes an error a task of the team. The dialog opens again with the text that was typed. */
export function CreateTicketDialog({ error, onClose }: { error: ErrorGroup; onClose: () => void }) {
  const draft = useDraft(createErrorTicket, error.id)
  return draft.isLoaded ? <TicketForm error={error} onClose={onClose} draft={draft} /> : null
}

function TicketForm({
  error,
  onClose,
  draft,
}: {
  error: ErrorGroup
  onClose: () => void
  draft: ReturnType<typeof useDraft<typeof createErrorTicket>>
}) {
  const text = useWords(ticketTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const [values, setValues] = useState({
    title: draft.values?.title ?? titleOf(error).slice(0, limits.ticketTitle),
    note: draft.values?.note ?? '',
  })
  const create = useAction(createErrorTicket, {
    refreshes: [listErrorTickets, readErrorGroup, listErrorGroups, listOrganizationErrors],
  })
  function change(changed: Partial<typeof values>): void {
    const next = { ...values, ...changed }
    setValues(next)
    draft.save(next)
  }
  async function send(): Promise<void> {
    const { applicationId, id } = error
    const note = values.note.trim()
    const ticket = await create.mutateAsync({
      params: { id: applicationId, errorId: id },
      body: { title: values.title.trim(), ...(note && { note }) },
    })
    draft.clear()
    onClose()
    const href = `/o/${encodeURIComponent(address)}/errors/tickets?application=${applicationId}&open=${ticket.id}`
    showToast({
      text: text.createdIt(ticket.title),
      action: { label: text.show, onPress: () => void navigate({ href }) },
    })
  }
  return (
    <Dialog title={text.createTitle} isOpen onClose={onClose} keepsInput>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(createErrorTicket, 'title')}
              label={text.name}
              value={values.title}
              onChange={title => change({ title })}
              isRequired
              autoComplete="off"
            />
            <TextField
              {...fieldOf(createErrorTicket, 'note')}
              label={text.note}
              hint={text.noteHint}
              rows={5}
              value={values.note}
              onChange={note => change({ note })}
            />
            <FormActions onLeave={onClose} action={text.createAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
