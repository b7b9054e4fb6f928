import { useState } from 'react'
import {
  addBillingContact,
  type BillingContact,
  type Client,
  listBillingContacts,
  removeBillingContact,
  updateBillingContact,
} from '#contract/crm/clients.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { billingContactTexts } from './billing-contacts.words.ts'

/** Adds a billing contact, or changes one. */
export function BillingContactDialog({
  client,
  contact,
  onClose,
}: {
  client: Client
  contact?: BillingContact
  onClose: () => void
}) {
  const text = useWords(billingContactTexts)
  const [isMain, setMain] = useState(contact?.isMain ?? false)
  const add = useAction(addBillingContact, { refreshes: [listBillingContacts] })
  const update = useAction(updateBillingContact, { refreshes: [listBillingContacts] })
  // the main one stays it until another one is chosen, and an inactive one cannot become it
  const canBecomeMain = contact === undefined || (contact.isActive && !contact.isMain)

  async function send(values: Readonly<Record<string, string>>): Promise<void> {
    const name = (values.name ?? '').trim()
    const email = (values.email ?? '').trim()
    if (!contact) {
      const body = { name, email, ...(isMain && { isMain }) }
      const added = await add.mutateAsync({ params: { id: client.id }, body })
      showToast({ text: text.added(added.name) })
      return onClose()
    }
    const body = {
      ...(name !== contact.name && { name }),
      ...(email !== contact.email && { email }),
      ...(isMain && !contact.isMain && { isMain }),
    }
    if (Object.keys(body).length > 0) {
      await update.mutateAsync({ params: { id: client.id, billingContactId: contact.id }, body })
      showToast({ text: text.saved(name) })
    }
    onClose()
  }

  return (
    <Dialog
      title={contact ? text.editTitle(contact.name) : text.addTitle(client.name)}
      isOpen
      onClose={onClose}
      size="small"
    >
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(addBillingContact, 'name')}
              label={text.name}
              defaultValue={contact?.name ?? ''}
              autoComplete="off"
            />
            <TextField
              {...fieldOf(addBillingContact, 'email')}
              label={text.email}
              defaultValue={contact?.email ?? ''}
              autoComplete="off"
            />
            {canBecomeMain && (
              <Checkbox isSelected={isMain} onChange={setMain} hint={text.mainHint}>
                {text.isMain}
              </Checkbox>
            )}
            <FormActions onLeave={onClose} action={contact ? text.save : text.addAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks before a billing contact is removed. */
export function RemoveBillingContactDialog({
  client,
  contact,
  onClose,
}: {
  client: Client
  contact: BillingContact
  onClose: () => void
}) {
  const text = useWords(billingContactTexts)
  return (
    <ConfirmAction
      operation={removeBillingContact}
      input={{ params: { id: client.id, billingContactId: contact.id } }}
      refreshes={[listBillingContacts]}
      title={text.removeQuestion(contact.name, client.name)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed(contact.name)}
    >
      <p>{text.removeAbout(contact.email)}</p>
      {contact.isMain && <p>{text.removeMain}</p>}
    </ConfirmAction>
  )
}
