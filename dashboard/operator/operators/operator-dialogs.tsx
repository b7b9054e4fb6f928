import { addOperator, listOperators, removeOperator } from '#contract/identity/operator.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { Operator } from './operator.ts'
import { operatorTexts } from './operators.words.ts'

/** Makes a person with an account an operator. */
export function AddOperatorDialog({ onClose }: { onClose: () => void }) {
  const text = useWords(operatorTexts)
  const add = useAction(addOperator, { refreshes: [listOperators] })
  return (
    <Dialog title={text.addTitle} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async ({ email = '' }) => {
          const { name } = await add.mutateAsync({ body: { email } })
          showToast({ text: text.added(name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.addAbout}</p>
            <TextField
              {...fieldOf(addOperator, 'email')}
              label={text.email}
              hint={text.emailHint}
              autoComplete="off"
            />
            <FormActions onLeave={onClose} action={text.addAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks before somebody stops being an operator. */
export function RemoveOperatorDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const text = useWords(operatorTexts)
  const { personId, name } = operator
  return (
    <ConfirmAction
      operation={removeOperator}
      input={{ params: { personId } }}
      refreshes={[listOperators]}
      title={text.removeTitle(name)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed(name)}
    >
      {text.removeAbout}
    </ConfirmAction>
  )
}
