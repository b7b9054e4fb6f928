import { useState } from 'react'
import {
  type Contact,
  createContact,
  listContacts,
  readContact,
  updateContact,
} from '#contract/crm/contacts.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { ClientField } from '../client-field.tsx'
import { StoredDraftNotice, useDraftFields } from '../draft-fields.tsx'
import { changedFields, filledFields } from '../form-values.ts'
import styles from '../forms.module.css'
import { contactName } from './contact.rules.ts'
import { contactTexts } from './contacts.words.ts'

const names = ['firstName', 'lastName', 'email', 'phone'] as const

export type ContactDialogProps = {
  /** The contact to change; undefined creates one. */
  contact?: Contact | undefined
  /** The client of the contact, or of the new one. */
  client?: { id: string; name: string } | undefined
  onClose: () => void
  onCreated?: ((contact: Contact) => void) | undefined
}

/** Creates a contact, or changes one. Input that was not sent comes back when the dialog opens again. */
export function ContactDialog(props: ContactDialogProps) {
  const { contact, client } = props
  const draft = useDraft<typeof createContact>(
    contact ? updateOfDraft : createContact,
    contact?.id ?? client?.id,
  )
  if (!draft.isLoaded) return null
  return <ContactForm {...props} draft={draft} />
}

/** Both operations take the same fields; the name of the draft tells them apart. */
const updateOfDraft = updateContact as unknown as typeof createContact

function ContactForm({
  contact,
  client: firstClient,
  onClose,
  onCreated,
  draft,
}: ContactDialogProps & { draft: ReturnType<typeof useDraft<typeof createContact>> }) {
  const text = useWords(contactTexts)
  const [clientId, setClientId] = useState(firstClient?.id ?? null)
  const [receivesInvoices, setReceivesInvoices] = useState(contact?.receivesInvoices ?? false)
  const create = useAction(createContact, { refreshes: [listContacts] })
  const update = useAction(updateContact, { refreshes: [listContacts, readContact] })
  const { field, formKey, initialOf, storedAt, discard } = useDraftFields(draft, createContact, contact)
  const [email, setEmail] = useState(initialOf('email'))
  const isMoved = contact !== undefined && clientId !== contact.clientId
  const endsSessions = isMoved || (contact?.email && email.trim() !== contact.email)
  const emailField = field('email')

  async function send(values: Readonly<Record<string, string>>): Promise<void> {
    if (contact) {
      const body = {
        ...changedFields(values, contact, names),
        ...(isMoved && { clientId }),
        ...(receivesInvoices !== contact.receivesInvoices && { receivesInvoices }),
      }
      if (Object.keys(body).length > 0) {
        const changed = await update.mutateAsync({ params: { id: contact.id }, body })
        showToast({ text: text.saved(contactName(changed) ?? text.nameless) })
      }
      draft.clear()
      return onClose()
    }
    const created = await create.mutateAsync({
      body: { ...filledFields(values, names), ...(clientId !== null && { clientId }), receivesInvoices },
    })
    draft.clear()
    showToast({ text: text.created(contactName(created) ?? text.nameless) })
    onClose()
    onCreated?.(created)
  }

  const title = contact
    ? text.editTitle(contactName(contact) ?? text.contact)
    : firstClient
      ? text.createFor(firstClient.name)
      : text.createTitle
  return (
    <Dialog title={title} isOpen onClose={onClose} keepsInput>
      <ActionForm key={formKey} onSubmit={send}>
        {({ isBusy }) => (
          <>
            <StoredDraftNotice
              storedAt={storedAt}
              discard={() => {
                discard()
                setEmail(contact?.email ?? '')
              }}
            />
            <div className={styles.pair}>
              <TextField {...field('firstName')} label={text.firstName} />
              <TextField {...field('lastName')} label={text.lastName} />
            </div>
            <TextField
              {...emailField}
              label={text.email}
              hint={text.needsOne}
              onChange={typed => {
                setEmail(typed)
                emailField.onChange(typed)
              }}
            />
            <TextField {...field('phone')} label={text.phone} />
            <ClientField
              label={text.client}
              hint={text.clientHint}
              value={clientId}
              name={clientId === firstClient?.id ? firstClient?.name : undefined}
              onChange={setClientId}
            />
            <Checkbox isSelected={receivesInvoices} onChange={setReceivesInvoices} hint={text.receivesHint}>
              {text.receivesInvoices}
            </Checkbox>
            {endsSessions && <Notice kind="warn">{text.endsSessions}</Notice>}
            <FormActions onLeave={onClose} action={contact ? text.save : text.createAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
