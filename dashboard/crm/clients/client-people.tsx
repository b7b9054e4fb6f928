import { Link } from '@tanstack/react-router'
import type { Client } from '#contract/crm/clients.ts'
import { type Contact, listContacts } from '#contract/crm/contacts.ts'
import { DetailList, DetailRow, type HeadingLevel } from '../../data/detail-list.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { useWords } from '../../words/words.ts'
import { contactName } from '../contacts/contact.rules.ts'
import { useContactActions } from '../contacts/contact-actions.tsx'
import { contactTexts } from '../contacts/contacts.words.ts'
import { documentTexts } from './documents.words.ts'

/** The contacts of a client. */
export function ClientPeople({ client, level }: { client: Client; level: HeadingLevel }) {
  const text = useWords(documentTexts)
  const { nameless } = useWords(contactTexts)
  const { address } = useOrganization()
  const contacts = useList(listContacts, { query: { clientId: client.id, limit: 20 } })
  const { create, menuOf, preload, dialog } = useContactActions(client)
  const nameOf = (contact: Contact) => contactName(contact) ?? nameless
  return (
    <>
      <DetailList
        {...contacts}
        level={level}
        title={text.people}
        rows={contacts.isLoading ? undefined : contacts.items}
        more={contacts}
        rowKey={({ id }) => id}
        empty={text.noPeople}
        action={
          create &&
          client.archivedAt === null && (
            <Button
              kind="quiet"
              size="small"
              icon="plus"
              onPress={create}
              onHoverStart={preload}
              onFocus={preload}
            >
              {text.addPerson}
            </Button>
          )
        }
        row={contact => (
          <DetailRow
            name={
              <Link
                to="/o/$organization/contacts"
                params={{ organization: address }}
                search={{ clientId: client.id, open: contact.id }}
              >
                {nameOf(contact)}
              </Link>
            }
            about={[
              contactName(contact) === contact.email ? null : contact.email,
              contact.phone,
              contact.receivesInvoices && text.receivesInvoices,
            ]
              .filter(Boolean)
              .join(' · ')}
          >
            {menuOf(contact).length > 0 && (
              <MoreMenu
                label={`${text.actions}: ${nameOf(contact)}`}
                size="small"
                groups={[{ id: 'actions', entries: menuOf(contact) }]}
              />
            )}
          </DetailRow>
        )}
      />
      {dialog}
    </>
  )
}
