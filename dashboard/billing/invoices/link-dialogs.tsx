import { useState } from 'react'
import { makePublicLink, revokeInvoiceLink } from '#contract/billing/links.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords, words } from '../../words/words.ts'
import type { InvoiceDialogProps } from './invoice-dialog.ts'

const texts = words({
  es: {
    title: (number: string) => `Enlace público de ${number}`,
    about: 'Quien tiene el enlace ve la factura y puede pagarla.',
    replaces: 'El enlace anterior deja de funcionar.',
    days: 'Días que dura',
    daysHint: 'Sin número, los de los ajustes de facturación.',
    close: 'Cerrar',
    make: 'Crear enlace',
    address: 'Dirección del enlace',
    revokeQuestion: (number: string) => `¿Revocar el enlace de ${number}?`,
    revokeAbout: 'Quien lo tiene ya no puede ver ni pagar la factura con él.',
    revoke: 'Revocar enlace',
    revoked: 'Enlace revocado.',
  },
  en: {
    title: (number: string) => `Public link of ${number}`,
    about: 'Whoever has the link sees the invoice and can pay it.',
    replaces: 'The previous link stops working.',
    days: 'Days that it lasts',
    daysHint: 'Without a number, those of the billing settings.',
    close: 'Close',
    make: 'Create link',
    address: 'Address of the link',
    revokeQuestion: (number: string) => `Revoke the link of ${number}?`,
    revokeAbout: 'Whoever has it can no longer see or pay the invoice with it.',
    revoke: 'Revoke link',
    revoked: 'Link revoked.',
  },
})

const currentLinkOf = ({ movements }: InvoiceDialogProps) =>
  movements.links.find(({ kind, isCurrent }) => kind === 'PRIMARY' && isCurrent)

/** Makes a public link and shows its address, once. */
export function MakeLinkDialog(props: InvoiceDialogProps) {
  const { invoice, onClose } = props
  const text = useWords(texts)
  const [days, setDays] = useState<number | null>(null)
  // whether there was one before the new one
  const [isReplacing] = useState(currentLinkOf(props) !== undefined)
  const make = useAction(makePublicLink)
  const number = invoice.number ?? ''
  const address = make.data?.publicUrl
  return (
    <Dialog title={text.title(number)} isOpen onClose={onClose} isDismissable={!address}>
      {address ? (
        <>
          <Secret label={text.address} value={address} fileName={`${number}.txt`} />
          <Actions>
            <Button kind="primary" onPress={onClose}>
              {text.close}
            </Button>
          </Actions>
        </>
      ) : (
        <ActionForm
          onSubmit={() =>
            make.mutateAsync({
              params: { id: invoice.id },
              body: days === null ? {} : { expiresInDays: days },
            })
          }
        >
          {({ isBusy }) => (
            <>
              <p>{text.about}</p>
              {isReplacing && <Notice kind="warn">{text.replaces}</Notice>}
              <NumberField
                label={text.days}
                hint={text.daysHint}
                value={days}
                onChange={setDays}
                minimum={1}
                maximum={limits.invoiceLinkDays}
              />
              <FormActions onLeave={onClose} action={text.make} isBusy={isBusy} />
            </>
          )}
        </ActionForm>
      )}
    </Dialog>
  )
}

/** Asks before the current link stops working. */
export function RevokeLinkDialog(props: InvoiceDialogProps) {
  const { invoice, onClose } = props
  const text = useWords(texts)
  const link = currentLinkOf(props)
  if (!link) return null
  return (
    <ConfirmAction
      operation={revokeInvoiceLink}
      input={{ params: { id: invoice.id, linkId: link.id } }}
      title={text.revokeQuestion(invoice.number ?? '')}
      action={text.revoke}
      isDangerous
      onClose={onClose}
      toast={() => text.revoked}
    >
      {text.revokeAbout}
    </ConfirmAction>
  )
}
