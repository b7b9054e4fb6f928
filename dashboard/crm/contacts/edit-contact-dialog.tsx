import { readClient } from '#contract/crm/clients.ts'
import type { Contact } from '#contract/crm/contacts.ts'
import { useRead } from '../../data/read.ts'
import { ContactDialog } from './contact-dialog.tsx'

/** Changes a contact, once the name of their client is known. */
export function EditContactDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { clientId } = contact
  const { data, isPending } = useRead(
    readClient,
    { params: { id: clientId ?? '' } },
    { enabled: clientId !== null },
  )
  if (clientId !== null && isPending) return null
  // without its name, the client is shown by its id
  const client = clientId === null ? undefined : { id: clientId, name: data?.name ?? clientId }
  return <ContactDialog contact={contact} client={client} onClose={onClose} />
}
