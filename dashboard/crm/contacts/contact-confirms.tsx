import { archiveContact, type Contact, endPortalSessions } from '#contract/crm/contacts.ts'
import { listPortalAccess } from '#contract/crm/portal-access.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { contactName } from './contact.rules.ts'
import { contactTexts } from './contacts.words.ts'

type ConfirmProps = { contact: Contact; onClose: () => void }

/** Asks before a contact is archived, which ends their portal sessions (CON-3). */
export function ArchiveContactDialog({ contact, onClose }: ConfirmProps) {
  const text = useWords(contactTexts)
  const language = useLanguage()
  const archive = useAction(archiveContact)
  const name = contactName(contact) ?? text.nameless
  return (
    <Confirm
      title={text.archiveQuestion(name)}
      action={text.archiveAction}
      isOpen
      onClose={onClose}
      isBusy={archive.isPending}
      error={archive.error && <Notice kind="danger">{textOfError(archive.error, language)}</Notice>}
      onConfirm={() =>
        archive.mutate(
          { params: { id: contact.id } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.archivedToast(name) })
            },
          },
        )
      }
    >
      {text.archiveAbout}
    </Confirm>
  )
}

/** Asks before the portal sessions of a contact end (CON-4), and says how many there were. */
export function EndSessionsDialog({ contact, onClose }: ConfirmProps) {
  const text = useWords(contactTexts)
  const language = useLanguage()
  const end = useAction(endPortalSessions, { refreshes: [listPortalAccess] })
  return (
    <Confirm
      title={text.showOutQuestion(contactName(contact) ?? text.nameless)}
      action={text.showOutAction}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={end.isPending}
      error={end.error && <Notice kind="danger">{textOfError(end.error, language)}</Notice>}
      onConfirm={() =>
        end.mutate(
          { params: { id: contact.id } },
          {
            onSuccess: ({ sessionsEnded }) => {
              onClose()
              showToast({ text: text.showedOut(sessionsEnded) })
            },
          },
        )
      }
    >
      {text.showOutAbout}
    </Confirm>
  )
}
