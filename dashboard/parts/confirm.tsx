import { type ReactNode, useState } from 'react'
import { useWords, words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { FormActions } from './form-actions.tsx'

const texts = words({
  es: { typeName: (name: string) => `Escribe ${name} para confirmar`, reason: 'Motivo' },
  en: { typeName: (name: string) => `Type ${name} to confirm`, reason: 'Reason' },
})

export type ConfirmProps = {
  /** The question, which names the object: “Remove Mei Lin from Acme Studio?” */
  title: string
  /** Says what will happen, and what will not. */
  children?: ReactNode
  /** The verb of the button: “Remove”. */
  action: string
  isOpen: boolean
  onClose: () => void
  onConfirm: (reason: string) => unknown
  isBusy?: boolean
  error?: ReactNode
  isDangerous?: boolean
  /** The action cancels something, so that “Cancel” would be ambiguous. */
  isCancellation?: boolean
  /** The person must type this name: for what cannot be undone. */
  nameToType?: string
  /** The person must give a reason. */
  asksReason?: { maxLength: number }
}

/** Asks before an action runs. The person may also have to type a name or give a reason. */
export function Confirm({
  title,
  children,
  action,
  isOpen,
  onClose,
  onConfirm,
  isBusy,
  error,
  isDangerous,
  isCancellation = false,
  nameToType,
  asksReason,
}: ConfirmProps) {
  const { typeName, reason: reasonLabel } = useWords(texts)
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const isReady = (nameToType === undefined || typed === nameToType) && (!asksReason || reason.trim() !== '')
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} role="alertdialog" size="small">
      {children && <div>{children}</div>}
      {nameToType !== undefined && (
        <TextField label={typeName(nameToType)} value={typed} onChange={setTyped} autoComplete="off" />
      )}
      {asksReason && (
        <TextField
          label={reasonLabel}
          value={reason}
          onChange={setReason}
          maxLength={asksReason.maxLength}
          rows={3}
        />
      )}
      {error}
      <FormActions
        onLeave={onClose}
        action={action}
        onAction={() => void onConfirm(reason.trim())}
        kind={isDangerous ? 'danger' : 'primary'}
        isDisabled={!isReady}
        isCancellation={isCancellation}
        isBusy={isBusy ?? false}
      />
    </Dialog>
  )
}
