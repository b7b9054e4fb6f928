import { useState } from 'react'
import {
  archiveContact,
  type Contact,
  createContact,
  endPortalSessions,
  unarchiveContact,
  updateContact,
} from '#contract/crm/contacts.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { contactName, portalAccessOf } from './contact.rules.ts'
import type { ContactDialogProps } from './contact-dialog.tsx'
import { contactTexts } from './contacts.words.ts'

const EditContactDialog = late(() =>
  import('./edit-contact-dialog.tsx').then(dialog => dialog.EditContactDialog),
)
const ContactDialog = late(() => import('./contact-dialog.tsx').then(dialog => dialog.ContactDialog))
const ArchiveContactDialog = late(() =>
  import('./contact-confirms.tsx').then(dialogs => dialogs.ArchiveContactDialog),
)
const EndSessionsDialog = late(() =>
  import('./contact-confirms.tsx').then(dialogs => dialogs.EndSessionsDialog),
)

type Open =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'edit' | 'archive' | 'endSessions'; contact: Contact }

/** The actions on contacts, for their list and for the page of a client, to which new ones belong. */
export function useContactActions(
  client?: ContactDialogProps['client'],
  onCreated?: (contact: Contact) => void,
) {
  const text = useWords(contactTexts)
  const may = useMay()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const restore = useAction(unarchiveContact)
  const close = () => setOpen({ kind: 'none' })
  const create = may(createContact) ? () => setOpen({ kind: 'create' }) : undefined
  const editOf = (contact: Contact) =>
    may(updateContact) && contact.archivedAt === null ? () => setOpen({ kind: 'edit', contact }) : undefined
  const unarchive = ({ id }: Contact) =>
    restore.mutate(
      { params: { id } },
      {
        toast: restored => text.restored(contactName(restored) ?? text.nameless),
        toastsFailure: true,
      },
    )

  function menuOf(contact: Contact): MenuEntry[] {
    const isArchived = contact.archivedAt !== null
    const entries: (MenuEntry | false)[] = [
      !isArchived &&
        may(updateContact) && {
          id: 'edit',
          label: text.edit,
          icon: 'edit',
          onAction: () => setOpen({ kind: 'edit', contact }),
        },
      portalAccessOf(contact) === 'portalOpen' &&
        may(endPortalSessions) && {
          id: 'end-sessions',
          label: text.showOut,
          icon: 'signOut',
          onAction: () => setOpen({ kind: 'endSessions', contact }),
        },
      !isArchived &&
        may(archiveContact) && {
          id: 'archive',
          label: text.archive,
          icon: 'inbox',
          onAction: () => setOpen({ kind: 'archive', contact }),
        },
      isArchived &&
        may(unarchiveContact) && {
          id: 'unarchive',
          label: text.unarchive,
          icon: 'retry',
          onAction: () => unarchive(contact),
        },
    ]
    return entries.filter(entry => entry !== false)
  }

  return {
    create,
    editOf,
    menuOf,
    preload: ContactDialog.preload,
    dialog: (
      <>
        {open.kind === 'create' && <ContactDialog client={client} onClose={close} onCreated={onCreated} />}
        {open.kind === 'edit' && <EditContactDialog contact={open.contact} onClose={close} />}
        {open.kind === 'archive' && <ArchiveContactDialog contact={open.contact} onClose={close} />}
        {open.kind === 'endSessions' && <EndSessionsDialog contact={open.contact} onClose={close} />}
      </>
    ),
  }
}
