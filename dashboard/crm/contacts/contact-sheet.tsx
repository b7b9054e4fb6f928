import { readClient } from '#contract/crm/clients.ts'
import { type Contact, readContact } from '#contract/crm/contacts.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { contactName, portalAccessOf } from './contact.rules.ts'
import { contactTexts } from './contacts.words.ts'

/** A contact: how to reach them, their client, and whether they can enter the portal. */
export function ContactSheet({
  contactId,
  contact: listed,
  editOf,
  menuOf,
  ...sheet
}: {
  contactId: string
  /** The contact, if the list has them; else they are read. */
  contact: Contact | undefined
  editOf: (contact: Contact) => (() => void) | undefined
  menuOf: (contact: Contact) => readonly MenuEntry[]
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(contactTexts)
  const read = useRead(readContact, { params: { id: contactId } }, { enabled: listed === undefined })
  const contact = listed ?? read.data
  const edit = contact && editOf(contact)
  useShortcuts({ e: edit && { label: text.edit, action: edit } }, text.contact)
  if (!contact)
    return (
      <Sheet {...sheet} title={text.contact}>
        <ReadingSection error={read.error} label={text.reading} />
      </Sheet>
    )
  const entries = menuOf(contact).filter(({ id }) => id !== 'edit')
  return (
    <Sheet
      {...sheet}
      title={contactName(contact) ?? text.nameless}
      actions={
        edit && (
          <Button icon="edit" shortcut="e" onPress={edit}>
            {text.edit}
          </Button>
        )
      }
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
    >
      {contact.archivedAt !== null && (
        <SheetSection>
          <Notice>{text.archivedNotice}</Notice>
        </SheetSection>
      )}
      <SheetSection>
        <ContactFacts contact={contact} />
      </SheetSection>
    </Sheet>
  )
}

function ContactFacts({ contact }: { contact: Contact }) {
  const text = useWords(contactTexts)
  const hrefOf = useKnownHref()
  const { clientId, leadId, email, phone, receivesInvoices, createdAt, id } = contact
  const client = useRead(readClient, { params: { id: clientId ?? '' } }, { enabled: clientId !== null })
  return (
    <Facts
      facts={[
        {
          term: text.client,
          value: clientId !== null && client.data && (
            <TextLink href={hrefOf('clients/$clientId', '', { clientId })}>{client.data.name}</TextLink>
          ),
        },
        {
          term: text.email,
          value: email && <TextLink href={`mailto:${email}`}>{email}</TextLink>,
        },
        { term: text.phone, value: phone },
        { term: text.portal, value: text[portalAccessOf(contact)] },
        { term: text.invoices, value: receivesInvoices ? text.receivesInvoices : text.no },
        {
          term: text.lead,
          value: leadId !== null && (
            <TextLink href={hrefOf('leads/$leadId', '', { leadId })}>{text.leadLink}</TextLink>
          ),
        },
        { term: text.since, value: <Time value={createdAt} form="date" /> },
        { term: text.id, value: <Id value={id} isShortened /> },
      ]}
    />
  )
}
