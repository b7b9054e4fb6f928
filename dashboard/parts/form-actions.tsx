import type { ReactNode } from 'react'
import { useWords, words } from '../words/words.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Actions } from './dialog.tsx'

const texts = words({
  es: { cancel: 'Cancelar', close: 'Cerrar', back: 'Volver' },
  en: { cancel: 'Cancel', close: 'Close', back: 'Go back' },
})

export type FormActionsProps = {
  /** Leaves the form or dialog. */
  onLeave: () => void
  /** The verb of the button that acts: “Save”, “Charge €1,536.70”. Without it, nothing is left to do. */
  action?: ReactNode
  /** Without it, the button sends the form around it. */
  onAction?: () => void
  kind?: 'primary' | 'danger'
  /** The action itself cancels something: the way out has another word. */
  isCancellation?: boolean
  /** Something was done already: leaving cancels nothing. */
  isDone?: boolean
} & Pick<ButtonProps, 'icon' | 'isBusy' | 'isDisabled' | 'autoFocus'>

/** The last line of a form or dialog: the way out, then the button that acts. */
export function FormActions({
  onLeave,
  action,
  onAction,
  kind = 'primary',
  isCancellation = false,
  isDone = action === undefined,
  ...button
}: FormActionsProps) {
  const text = useWords(texts)
  return (
    <Actions>
      <Button kind="quiet" onPress={onLeave}>
        {isDone ? text.close : isCancellation ? text.back : text.cancel}
      </Button>
      {action !== undefined && (
        <Button
          {...button}
          kind={kind === 'danger' ? 'destroy' : kind}
          {...(onAction ? { onPress: onAction } : { type: 'submit' })}
        >
          {action}
        </Button>
      )}
    </Actions>
  )
}
