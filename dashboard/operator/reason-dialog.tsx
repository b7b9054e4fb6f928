import { type ReactNode, useState } from 'react'
import type { Route } from '#contract/route.ts'
import { ActionForm } from '../data/action-form.tsx'
import { useDraft } from '../data/drafts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FormActions } from '../parts/form-actions.tsx'
import { Reason } from '../parts/reason.tsx'

type ReasonDialogProps = {
  title: string
  /** Says what will happen. */
  about?: ReactNode
  action: string
  isDangerous?: boolean
  label: string
  hint: string
  minLength: number
  maxLength: number
  /** The operation and its object: a reason that was typed and not sent comes back. */
  draftOf: { operation: Route; objectId: string }
  /** Fields before the reason. */
  children?: ReactNode
  onClose: () => void
  /** Sends the trimmed reason. The dialog closes afterwards. */
  onSubmit: (reason: string) => Promise<unknown>
}

/** A dialog that asks for the reason of what an operator does. */
export function ReasonDialog({ draftOf, ...dialog }: ReasonDialogProps) {
  const draft = useDraft<Route, { reason: string }>(draftOf.operation, draftOf.objectId)
  return draft.isLoaded ? <ReasonForm {...dialog} draft={draft} /> : null
}

function ReasonForm({
  draft,
  title,
  about,
  action,
  isDangerous = false,
  children,
  onClose,
  onSubmit,
  ...field
}: Omit<ReasonDialogProps, 'draftOf'> & { draft: ReturnType<typeof useDraft<Route, { reason: string }>> }) {
  const [reason, setReason] = useState(draft.values?.reason ?? '')
  return (
    <Dialog title={title} isOpen onClose={onClose} role={isDangerous ? 'alertdialog' : 'dialog'} keepsInput>
      <ActionForm
        onSubmit={async () => {
          await onSubmit(reason.trim())
          draft.clear()
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            {about && <div>{about}</div>}
            {children}
            <Reason
              {...field}
              name="reason"
              isRequired
              value={reason}
              onChange={typed => {
                setReason(typed)
                draft.save({ reason: typed })
              }}
            />
            <FormActions
              onLeave={onClose}
              action={action}
              kind={isDangerous ? 'danger' : 'primary'}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
