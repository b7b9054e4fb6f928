import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'
import { archived, search, searchNote } from './shapes.ts'

const id = { id: Id }

/** A person, with or without a client. */
export const Contact = Type.Object({
  id: Id,
  clientId: Nullable(Id),
  leadId: Nullable(Id),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  receivesInvoices: Type.Boolean({
    description: 'Whether invoices of the client may be sent to this contact',
  }),
  createdAt: Time,
  updatedAt: Time,
  archivedAt: Nullable(Time),
})
export type Contact = Static<typeof Contact>
const contactFields = {
  clientId: Type.Optional(Nullable(Id)),
  firstName: Type.Optional(Nullable(Name(limits.leadName))),
  lastName: Type.Optional(Nullable(Name(limits.leadName))),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Name(limits.leadPhone))),
  receivesInvoices: Type.Optional(Type.Boolean()),
}

export const createContact = operation('POST /contacts', {
  announces: { event: 'contact.changed', change: 'created' },
  ...editAccess,
  summary: 'Create a contact',
  description: 'Requires a name or an e-mail.',
  body: contactFields,
  reply: Contact,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
})
export const listContacts = operation('GET /contacts', {
  ...viewAccess,
  summary: 'List contacts by name',
  description: `\`search\` matches any part of a name or e-mail, or, with two characters, the beginning of a word. ${searchNote}`,
  query: { ...pageQuery, search, clientId: Type.Optional(Id), archived },
  reply: Page(Contact),
})
export const readContact = operation('GET /contacts/:id', {
  ...viewAccess,
  summary: 'Retrieve a contact',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const updateContact = operation('PATCH /contacts/:id', {
  announces: { event: 'contact.changed' },
  ...editAccess,
  summary: 'Update a contact',
  description: 'A new e-mail or client ends the contact’s sessions of the customer portal at once.',
  params: id,
  body: contactFields,
  bodyOptional: true,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND', 'CONTACT_ARCHIVED', 'NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})
export const archiveContact = operation('POST /contacts/:id/archive', {
  announces: { event: 'contact.changed' },
  ...editAccess,
  summary: 'Archive a contact',
  description:
    'Ends the contact’s sessions of the customer portal at once. A contact that is already archived is returned unchanged.',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const unarchiveContact = operation('POST /contacts/:id/unarchive', {
  announces: { event: 'contact.changed' },
  ...editAccess,
  summary: 'Restore an archived contact',
  params: id,
  reply: Contact,
  errors: ['CONTACT_NOT_FOUND'],
})
export const endPortalSessions = operation('POST /contacts/:id/show-out', {
  announces: { event: 'contact.changed' },
  ...editAccess,
  summary: 'End the portal sessions of a contact',
  description:
    'Sessions end at once, and links in earlier mails stop working. The contact can still request a new link; archive the ' +
    'contact to prevent that.',
  params: id,
  reply: Type.Object({ sessionsEnded: Type.Integer() }),
  errors: ['CONTACT_NOT_FOUND'],
})
