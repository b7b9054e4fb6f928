import { useState } from 'react'
import { ActionForm } from '../../data/action-form.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { useWords } from '../../words/words.ts'
import { changeDialogTexts } from './change-dialogs.words.ts'
import type { ErrorGroup } from './error.ts'
import { shortTitleOf } from './use-error-changes.ts'

const minutes = ['15', '60', '1440', '10080'] as const

/** Asks how long occurrences of the old release do not reopen an error that is resolved now. */
export function GraceDialog({
  errors,
  onResolve,
  onClose,
}: {
  errors: readonly ErrorGroup[]
  onResolve: (graceMinutes: number) => void
  onClose: () => void
}) {
  const text = useWords(changeDialogTexts)
  const [grace, setGrace] = useState<(typeof minutes)[number]>('60')
  const [first] = errors
  async function send(): Promise<void> {
    onResolve(Number(grace))
    onClose()
  }
  return (
    <Dialog
      title={
        first && errors.length === 1
          ? text.graceTitle(shortTitleOf(first))
          : text.graceManyTitle(errors.length)
      }
      isOpen
      onClose={onClose}
      size="small"
    >
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <RadioGroup
              label={text.grace}
              value={grace}
              onChange={setGrace}
              options={minutes.map(value => ({ value, label: text[`minutes${value}`] }))}
            />
            <FormActions onLeave={onClose} action={text.resolve} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
