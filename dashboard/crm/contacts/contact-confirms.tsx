import { archiveContact, type Contact, endPortalSessions } from '#contract/crm/contacts.ts'
import { listPortalAccess } from '#contract/crm/portal-access.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useWords } from '../../words/words.ts'
import { contactName } from './contact.rules.ts'
import { contactTexts } from './contacts.words.ts'

type ConfirmProps = { contact: Contact; onClose: () => void }

/** Asks before a contact is archived, which ends their portal sessions (CON-3). */
export function ArchiveContactDialog({ contact, onClose }: ConfirmProps) {
  const text = useWords(contactTexts)
  const name = contactName(contact) ?? text.nameless
  return (
    <ConfirmAction
      operation={archiveContact}
      input={{ params: { id: contact.id } }}
      title={text.archiveQuestion(name)}
      action={text.archiveAction}
      onClose={onClose}
      toast={() => text.archivedToast(name)}
    >
      {text.archiveAbout}
    </ConfirmAction>
  )
}

/** Asks before the portal sessions of a contact end (CON-4), and says how many there were. */
export function EndSessionsDialog({ contact, onClose }: ConfirmProps) {
  const text = useWords(contactTexts)
  return (
    <ConfirmAction
      operation={endPortalSessions}
      input={{ params: { id: contact.id } }}
      refreshes={[listPortalAccess]}
      title={text.showOutQuestion(contactName(contact) ?? text.nameless)}
      action={text.showOutAction}
      isDangerous
      onClose={onClose}
      toast={({ sessionsEnded }) => text.showedOut(sessionsEnded)}
    >
      {text.showOutAbout}
    </ConfirmAction>
  )
}
