import { type Client, createClient, listClients, readClient, updateClient } from '#contract/crm/clients.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { CountryField } from '../country-field.tsx'
import { StoredDraftNotice, useDraftFields } from '../draft-fields.tsx'
import { changedFields, filledFields } from '../form-values.ts'
import styles from '../forms.module.css'
import { clientTexts } from './clients.words.ts'

const optional = ['taxId', 'email', 'phone', 'address', 'postalCode', 'city', 'country'] as const

export type ClientDialogProps = {
  /** The client to change; undefined creates one. */
  client?: Client | undefined
  onClose: () => void
  onCreated?: ((client: Client) => void) | undefined
}

/** Creates a client, or changes one. Input that was not sent comes back when the dialog opens again. */
export function ClientDialog(props: ClientDialogProps) {
  const draft = useDraft<typeof createClient>(props.client ? updateOfDraft : createClient, props.client?.id)
  if (!draft.isLoaded) return null
  return <ClientForm {...props} draft={draft} />
}

/** Both operations take the same fields; the name of the draft tells them apart. */
const updateOfDraft = updateClient as unknown as typeof createClient

function ClientForm({
  client,
  onClose,
  onCreated,
  draft,
}: ClientDialogProps & { draft: ReturnType<typeof useDraft<typeof createClient>> }) {
  const text = useWords(clientTexts)
  const create = useAction(createClient, { refreshes: [listClients] })
  const update = useAction(updateClient, { refreshes: [listClients, readClient] })
  const { field, initialOf, keep, formKey, storedAt, discard } = useDraftFields(draft, createClient, client)

  async function send(values: Readonly<Record<string, string>>): Promise<void> {
    const name = (values.name ?? '').trim()
    if (client) {
      const body = { ...(name !== client.name && { name }), ...changedFields(values, client, optional) }
      if (Object.keys(body).length > 0) {
        await update.mutateAsync({ params: { id: client.id }, body })
        showToast({ text: text.saved(name) })
      }
      draft.clear()
      return onClose()
    }
    const created = await create.mutateAsync({ body: { name, ...filledFields(values, optional) } })
    draft.clear()
    showToast({ text: text.created(created.name) })
    onClose()
    onCreated?.(created)
  }

  return (
    <Dialog
      title={client ? text.editTitle(client.name) : text.createTitle}
      isOpen
      onClose={onClose}
      keepsInput
    >
      <ActionForm key={formKey} onSubmit={send}>
        {({ isBusy }) => (
          <>
            <StoredDraftNotice storedAt={storedAt} discard={discard} />
            <TextField {...field('name')} label={text.name} />
            <div className={styles.pair}>
              <TextField {...field('taxId')} label={text.taxId} spellCheck="false" />
              <TextField {...field('phone')} label={text.phone} />
            </div>
            <TextField {...field('email')} label={text.email} />
            <TextField {...field('address')} label={text.address} />
            <div className={styles.pair}>
              <TextField {...field('postalCode')} label={text.postalCode} />
              <TextField {...field('city')} label={text.city} />
            </div>
            <CountryField
              label={text.country}
              name="country"
              defaultValue={initialOf('country')}
              onChange={code => keep('country', code)}
            />
            <FormActions onLeave={onClose} action={client ? text.save : text.createAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
